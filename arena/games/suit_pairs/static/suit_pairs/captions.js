/** Captions for a running match: the lead, how much is still to be played, and who has won the deals so far. */
import { captionText } from "#matches/captions.js";
import { pointsText } from "#site/format.js";
import { totals } from "./totals.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("#matches/captions.js").Fact} Fact */

const texts = () => ({
  lead_in_deck: gettext("%(name)s leads by %(points)s with %(cards)s cards left in the deck."),
  even_in_deck: gettext("Tied, with %(cards)s cards left in the deck."),
  lead_in_deal: gettext("%(name)s leads by %(points)s in deal %(deal)s of %(deals)s."),
  even_in_deal: gettext("Tied in deal %(deal)s of %(deals)s."),
  deals_won: gettext("Deals won: %(won)s to %(lost)s for %(name)s."),
});

/** @param {MatchModel} model @param {number} index @returns {string} */
export function caption(model, index) {
  return captionText(facts(model, index), texts);
}

/** @param {MatchModel} model @param {number} index @returns {Fact[]} what to say after this turn */
export function facts(model, index) {
  const view = model.turns[index]?.view;
  if (!view) return [];
  const isOver = model.outcome !== null && index === model.last;
  return [isOver ? null : lead(model, view), dealsWon(model, view)].filter((fact) => fact !== null);
}

/** @param {MatchModel} model @param {any} view @returns {Fact | null} */
function lead({ seats }, view) {
  const [first, second] = totals(view);
  const state = first === second ? "even" : "lead";
  const values = { name: seats[first > second ? 0 : 1].name, points: pointsText(Math.abs(first - second)) };
  if (view.deals > 1) return { code: `${state}_in_deal`, values: { ...values, deal: view.deal, deals: view.deals } };
  return view.deck > 1 ? { code: `${state}_in_deck`, values: { ...values, cards: view.deck } } : null;
}

/** @param {MatchModel} model @param {any} view @returns {Fact | null} */
function dealsWon({ seats }, view) {
  const won = [0, 1].map((seat) => view.over.filter((/** @type {number[]} */ points) => points[seat] > points[1 - seat]).length);
  if (won[0] === won[1]) return null;
  const best = won[0] > won[1] ? 0 : 1;
  return { code: "deals_won", values: { name: seats[best].name, won: won[best], lost: won[1 - best] } };
}
