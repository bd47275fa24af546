/** A tournament's standing in one sentence, for the live region of its page. */
import { formatNumber, nameList, pointsText, score } from "../site/format.js";

const MAX_NAMES = 3;

/** @typedef {import("./standings-model.js").StandingsModel} StandingsModel */
/** @typedef {import("./standings-model.js").Row} Row */
/**
 * A standing before it is put into words; the sentence with this `code` contains `values`.
 * @typedef {{code: string, values: Record<string, string>}} Standing
 */

/** @returns {Record<string, string>} the sentences by the code of the standing */
function textsByCode() {
  return {
    cancelled: gettext("The tournament was cancelled."),
    withheld: gettext("The tournament is over. Its results are withheld until the organizer releases them."),
    progress: gettext("%(finished)s of %(total)s matches played"),
    leads: gettext("%(name)s leads with %(points)s; %(finished)s of %(total)s matches played."),
    share_lead: gettext("%(name)s share the lead with %(points)s; %(finished)s of %(total)s matches played."),
    wins: gettext("The tournament is over: %(name)s wins with %(points)s."),
    share_first: gettext("The tournament is over: %(name)s share first place with %(points)s."),
    leads_by_score: gettext("In the lead: %(name)s, total score %(score)s; %(finished)s of %(total)s matches played."),
    wins_by_score: gettext("The tournament is over. First place: %(name)s, total score %(score)s."),
  };
}

/** @param {StandingsModel} model @returns {string} "" if there is nothing to say */
export function standingSentence(model) {
  const found = standingOf(model);
  return found ? interpolate(textsByCode()[found.code], found.values, true) : "";
}

/**
 * Return the standing, which names a leader only if the reader may know one: neither while results are withheld nor
 * before anything is ranked.
 * @param {StandingsModel} model
 * @returns {Standing | null} null if there is nothing to say
 */
export function standingOf(model) {
  const isOver = model.status === "finished";
  if (model.status === "cancelled") return { code: "cancelled", values: {} };
  if (model.withheld) return isOver ? { code: "withheld", values: {} } : null;
  const leaders = model.progress.finished > 0 ? model.leaders : [];
  if (leaders.length === 0) return model.progress.total === 0 ? null : { code: "progress", values: counts(model.progress) };
  const values = { name: namesOf(leaders), ...(isOver ? {} : counts(model.progress)) };
  const { points } = leaders[0];
  if (model.score) return { code: isOver ? "wins_by_score" : "leads_by_score", values: { ...values, score: score(points, model.score.decimals) } };
  const isShared = leaders.length > 1;
  const code = isOver ? (isShared ? "share_first" : "wins") : isShared ? "share_lead" : "leads";
  return { code, values: { ...values, points: pointsText(points) } };
}

/** @param {import("./standings-model.js").Progress} progress */
function counts({ finished, total }) {
  return { finished: formatNumber(finished), total: formatNumber(total) };
}

/** @param {Row[]} rows */
function namesOf(rows) {
  const names = rows.slice(0, MAX_NAMES).map((row) => row.name);
  const more = rows.length - names.length;
  if (more > 0) names.push(interpolate(ngettext("%s more bot", "%s more bots", more), [more]));
  return nameList(names);
}
