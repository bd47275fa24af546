/** Captions for a running match: who leads without luck, and the costliest move of this game or else the score so far. */
import { captionText } from "#matches/captions.js";
import { formatNumber } from "#site/format.js";
import { directionName } from "./board.js";
import { turnsOfGame } from "./games.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("#matches/captions.js").Fact} Fact */
/** @typedef {import("./view.js").View} View */

const NOTABLE = 1; // points; smaller regrets are not worth a sentence

const texts = () => ({
  lead: gettext("Luck aside, %(name)s leads by %(points)s points in game %(game)s of %(games)s."),
  even: gettext("Luck aside, game %(game)s of %(games)s is even."),
  first_score: gettext("%(name)s has a score of %(score)s so far in game %(game)s of %(games)s."),
  score: gettext("%(name)s has a score of %(score)s so far in game %(game)s of %(games)s, after an average of %(mean)s per game."),
  costliest: gettext("Costliest move of this game by exact analysis: %(name)s gave away %(regret)s points by moving %(direction)s."),
  costliest_before: gettext("Costliest move of game %(game)s by exact analysis: %(name)s gave away %(regret)s points by moving %(direction)s."),
  flawless: gettext("According to exact analysis, no move in this game has given away a full point."),
});

/** @param {MatchModel} model @param {number} index @returns {string} */
export function caption(model, index) {
  return captionText(facts(model, index), texts);
}

/** @param {MatchModel} model @param {number} index @returns {Fact[]} what to say after this turn */
export function facts(model, index) {
  const view = /** @type {View | undefined} */ (model.turns[index]?.view);
  if (!view) return [];
  const isOver = model.outcome !== null && index === model.last;
  const moves = quality(model, index);
  const stand = isOver ? null : (lead(model, view) ?? (moves?.code === "costliest" ? null : progress(model, view)));
  return [stand, moves].filter((fact) => fact !== null);
}

/** @param {MatchModel} model @param {View} view @returns {number[]} the seats that have not left, best first */
function ranked({ seats }, { adjusted, out }) {
  const order = seats.map(({ index }) => index).filter((seat) => !out.includes(seat));
  return order.sort((one, other) => adjusted[other] - adjusted[one]);
}

/** @param {MatchModel} model @param {View} view @returns {Fact | null} */
function lead(model, view) {
  const { adjusted, game, games } = view;
  const order = ranked(model, view);
  if (order.length < 2) return null;
  const points = formatNumber(adjusted[order[0]] - adjusted[order[1]], 1);
  if (points === "0.0") return { code: "even", values: { game, games } };
  return { code: "lead", values: { name: model.seats[order[0]].name, points, game, games } };
}

/** @param {MatchModel} model @param {View} view @returns {Fact | null} the score of a seat that has nobody to lead */
function progress(model, view) {
  const { game, games, scores, totals } = view;
  const [seat] = ranked(model, view);
  if (seat === undefined) return null;
  const values = { name: model.seats[seat].name, score: formatNumber(scores[seat]), game, games };
  if (game === 1) return { code: "first_score", values };
  return { code: "score", values: { ...values, mean: formatNumber((totals[seat] - scores[seat]) / (game - 1), 1) } };
}

/**
 * @param {MatchModel} model
 * @param {number} index
 * @returns {Fact | null} the costliest move of this game; until it has one, the costliest of the game before, whose
 * last move the viewer has just seen
 */
function quality(model, index) {
  const { game } = model.turns[index].view;
  const own = turnsOfGame(model.turns, index, game);
  const worst = costliest(model, own);
  if (worst) return { code: "costliest", values: worst };
  const before = game > 1 ? costliest(model, turnsOfGame(model.turns, index, game - 1)) : null;
  if (before) return { code: "costliest_before", values: { ...before, game: game - 1 } };
  return own.length > 0 ? { code: "flawless", values: {} } : null;
}

/**
 * @param {MatchModel} model
 * @param {number[]} among these turns
 * @returns {Record<string, any> | null} the move with the largest regret; null if no regret is notable
 */
function costliest({ turns, seats }, among) {
  let most = { regret: NOTABLE, seat: -1, at: 0 };
  for (const at of among) {
    turns[at].view.regrets.forEach((/** @type {number | null} */ regret, /** @type {number} */ seat) => {
      if ((regret ?? 0) > most.regret) most = { regret: regret ?? 0, seat, at };
    });
  }
  const move = turns[most.at]?.moves.find(({ seat }) => seat === most.seat)?.move;
  if (typeof move !== "number") return null;
  return { name: seats[most.seat].name, direction: directionName(move), regret: formatNumber(most.regret, 1) };
}
