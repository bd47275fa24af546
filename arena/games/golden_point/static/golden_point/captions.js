/** Captions for a running match: the lead, the rounds that remain, and who gained most recently. */
import { captionText } from "#matches/captions.js";
import { nameList, points, signed } from "#site/format.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("#matches/captions.js").Fact} Fact */
/** @typedef {import("./view.js").View} View */

const RECENT = 20; // rounds
const FARTHEST_LOSES = 2; // points a round, while the nearest wins as many as there are players
const NAMED = 3; // seats that share the lead

/** @param {Record<string, any>} values @returns {Record<string, string>} the sentences by code */
function texts({ left }) {
  return {
    lead: ngettext("%(name)s leads by %(points)s points with %(left)s round to go.", "%(name)s leads by %(points)s points with %(left)s rounds to go.", left),
    certain: ngettext("%(name)s leads by %(points)s points and can no longer be overtaken: %(left)s round to go.", "%(name)s leads by %(points)s points and can no longer be overtaken: %(left)s rounds to go.", left),
    shared: ngettext("%(name)s share the lead with %(left)s round to go.", "%(name)s share the lead with %(left)s rounds to go.", left),
    recent: gettext("Best in the last %(rounds)s rounds: %(name)s (%(gain)s)."),
  };
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @param {number[]} ranks by seat
 * @returns {string}
 */
export function caption(model, index, ranks) {
  return captionText(facts(model, index, ranks), texts);
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @param {number[]} ranks by seat
 * @returns {Fact[]} what to say after this round
 */
export function facts(model, index, ranks) {
  const view = /** @type {View | undefined} */ (model.turns[index]?.view);
  if (!view || index === 0) return [];
  const isOver = model.outcome !== null && index === model.last;
  return [isOver ? null : lead(model, view, ranks), recentGain(model, index, view)].filter((fact) => fact !== null);
}

/** @param {MatchModel} model @param {View} view @param {number[]} ranks @returns {Fact | null} */
function lead({ seats, match }, view, ranks) {
  const best = seats.filter(({ index }) => ranks[index] === 1);
  const second = Math.max(...view.scores.filter((_, seat) => ranks[seat] > 1 && !view.out.includes(seat)));
  if (best.length > NAMED || !Number.isFinite(second)) return null;
  const values = { name: nameList(best.map(({ name }) => name)), left: match.settings.rounds - view.round };
  if (best.length > 1) return { code: "shared", values };
  const ahead = view.scores[best[0].index] - second;
  const isCertain = ahead > values.left * (seats.length + FARTHEST_LOSES) && values.left > 0;
  return { code: isCertain ? "certain" : "lead", values: { ...values, points: points(ahead) } };
}

/** @param {MatchModel} model @param {number} index @param {View} view @returns {Fact | null} */
function recentGain({ turns, seats }, index, view) {
  const before = /** @type {View | undefined} */ (turns[index - RECENT]?.view);
  if (!before || seats.length < 3) return null;
  const gains = seats.map(({ index: seat }) => view.scores[seat] - (before.scores[seat] ?? 0));
  const most = Math.max(...gains);
  if (most <= 0) return null;
  return { code: "recent", values: { rounds: RECENT, name: seats[gains.indexOf(most)].name, gain: signed(most) } };
}
