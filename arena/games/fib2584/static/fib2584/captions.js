/** Captions for a running match: who leads without luck, and what the costliest move of this game has given away. */
import { captionText } from "#matches/captions.js";
import { formatNumber } from "#site/format.js";
import { directionName } from "./board.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("#matches/captions.js").Fact} Fact */
/** @typedef {import("./view.js").View} View */

const NOTABLE = 1; // points; smaller regrets are not worth a sentence

const texts = () => ({
  lead: gettext("Luck aside, %(name)s leads by %(points)s points in game %(game)s of %(games)s."),
  even: gettext("Luck aside, game %(game)s of %(games)s is even."),
  costliest: gettext("Costliest move of this game by exact analysis: %(name)s gave away %(regret)s points by moving %(direction)s."),
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
  return [isOver ? null : lead(model, view), costliest(model, index)].filter((fact) => fact !== null);
}

/** @param {MatchModel} model @param {View} view @returns {Fact | null} */
function lead({ seats }, { adjusted, out, game, games }) {
  const order = seats.map(({ index }) => index).filter((seat) => !out.includes(seat));
  order.sort((one, other) => adjusted[other] - adjusted[one]);
  if (order.length < 2) return null;
  const points = formatNumber(adjusted[order[0]] - adjusted[order[1]], 1);
  if (points === "0.0") return { code: "even", values: { game, games } };
  return { code: "lead", values: { name: seats[order[0]].name, points, game, games } };
}

/** @param {MatchModel} model @param {number} index @returns {Fact | null} the move of this game with the largest regret */
function costliest({ turns, seats }, index) {
  const { game } = turns[index].view;
  let most = { regret: NOTABLE, seat: -1, at: 0 };
  for (let at = index; at > 0 && turns[at]?.view.game === game; at -= 1) {
    turns[at].view.regrets.forEach((/** @type {number | null} */ regret, /** @type {number} */ seat) => {
      if ((regret ?? 0) > most.regret) most = { regret: regret ?? 0, seat, at };
    });
  }
  const move = turns[most.at]?.moves.find(({ seat }) => seat === most.seat)?.move;
  if (typeof move !== "number") return null;
  return { code: "costliest", values: { name: seats[most.seat].name, direction: directionName(move), regret: formatNumber(most.regret, 1) } };
}
