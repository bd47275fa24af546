/** A tournament's standing in one sentence, for the live region of its page. */
import { nameList, pointsText, score } from "../site/format.js";

const MAX_NAMES = 3;

/**
 * Names a leader only if the reader may know one: neither while results are withheld nor before anything is ranked.
 * @param {import("./standings-model.js").StandingsModel} model
 * @returns {string} "" if there is nothing to say
 */
export function standingSentence(model) {
  if (model.status === "cancelled") return gettext("The tournament was cancelled.");
  if (model.withheld) return withheldSentence(model.status);
  const { finished, total } = model.progress;
  const leaders = finished > 0 ? model.leaders : [];
  if (leaders.length === 0) return progressSentence(finished, total);
  if (model.score) return scoreSentence(model, leaders);
  const values = { name: namesOf(leaders), points: pointsText(leaders[0].points), finished, total };
  return interpolate(model.status === "finished" ? endText(leaders.length) : leadText(leaders.length), values, true);
}

/** @param {import("./standings-model.js").StandingsModel} model @param {import("./standings-model.js").Row[]} leaders */
function scoreSentence(model, leaders) {
  const { finished, total } = model.progress;
  const values = { name: namesOf(leaders), score: score(leaders[0].points, model.score?.decimals), finished, total };
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

/** @param {number} finished @param {number} total */
function progressSentence(finished, total) {
  if (total === 0) return "";
  return interpolate(gettext("%(finished)s of %(total)s matches played"), { finished, total }, true);
}

/** @param {number} count of those who share the first place */
function leadText(count) {
  return count === 1
    ? gettext("%(name)s leads with %(points)s; %(finished)s of %(total)s matches played.")
    : gettext("%(name)s share the lead with %(points)s; %(finished)s of %(total)s matches played.");
}

/** @param {number} count of those who share the first place */
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
