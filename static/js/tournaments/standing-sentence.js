/** A tournament's standing in one sentence, for the live region of its page. */
import { formatNumber, nameList, pointsText, score } from "../site/format.js";

const MAX_NAMES = 3;

/**
 * Names a leader only if the reader may know one: neither while results are withheld nor before anything is ranked.
 * @param {import("./standings-model.js").StandingsModel} model
 * @returns {string} "" if there is nothing to say
 */
export function standingSentence(model) {
  if (model.status === "cancelled") return gettext("The tournament was cancelled.");
  if (model.withheld) return withheldSentence(model.status);
  const leaders = model.progress.finished > 0 ? model.leaders : [];
  if (leaders.length === 0) return progressSentence(model.progress);
  if (model.score) return scoreSentence(model, leaders);
  const values = { name: namesOf(leaders), points: pointsText(leaders[0].points), ...counts(model.progress) };
  return interpolate(model.status === "finished" ? endText(leaders.length) : leadText(leaders.length), values, true);
}

/** @param {import("./standings-model.js").StandingsModel} model @param {import("./standings-model.js").Row[]} leaders */
function scoreSentence(model, leaders) {
  const values = { name: namesOf(leaders), score: score(leaders[0].points, model.score?.decimals), ...counts(model.progress) };
  const text =
    model.status === "finished"
      ? gettext("The tournament is over. First place: %(name)s, total score %(score)s.")
      : gettext("In the lead: %(name)s, total score %(score)s; %(finished)s of %(total)s matches played.");
  return interpolate(text, values, true);
}

/** @param {string} status */
function withheldSentence(status) {
  if (status !== "finished") return "";
  return gettext("The tournament is over. Its results are withheld until the organizer releases them.");
}

/** @param {import("./standings-model.js").Progress} progress */
function counts({ finished, total }) {
  return { finished: formatNumber(finished), total: formatNumber(total) };
}

/** @param {import("./standings-model.js").Progress} progress */
function progressSentence(progress) {
  if (progress.total === 0) return "";
  return interpolate(gettext("%(finished)s of %(total)s matches played"), counts(progress), true);
}

/** @param {number} count how many entries share first place */
function leadText(count) {
  return count === 1
    ? gettext("%(name)s leads with %(points)s; %(finished)s of %(total)s matches played.")
    : gettext("%(name)s share the lead with %(points)s; %(finished)s of %(total)s matches played.");
}

/** @param {number} count how many entries share first place */
function endText(count) {
  return count === 1
    ? gettext("The tournament is over: %(name)s wins with %(points)s.")
    : gettext("The tournament is over: %(name)s share first place with %(points)s.");
}

/** @param {import("./standings-model.js").Row[]} rows */
function namesOf(rows) {
  const names = rows.slice(0, MAX_NAMES).map((row) => row.name);
  const more = rows.length - names.length;
  if (more > 0) names.push(interpolate(ngettext("%s more bot", "%s more bots", more), [more]));
  return nameList(names);
}
