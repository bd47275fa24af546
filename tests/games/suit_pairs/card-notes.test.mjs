// What the note of a card says: its points, and the turn that brought it to its place.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../js/words.mjs";
import { cardNote, turnOfArrival } from "../../../arena/games/suit_pairs/static/suit_pairs/card-notes.js";
import { cardOf } from "../../../arena/games/suit_pairs/static/suit_pairs/cards.js";

const cards = (names) => names.split(" ").filter(Boolean).map(cardOf);
const viewed = (table, hand, pile, more = {}) => ({
  deal: 1,
  table: cards(table),
  hands: [cards(hand), []],
  piles: [cards(pile), []],
  discards: [],
  decisions: [],
  ...more,
});
const pairs = (first, action) => ({ seat: 0, stage: "pair", action: cardOf(action), first: cardOf(first), passes: false, forced: false });
/** @returns {any} */
const matchOf = (views) => ({ seats: [{ name: "Ann" }, { name: "Ben" }], reader: null, turns: views.map((view) => view && { view, moves: [] }) });

const played = matchOf([
  viewed("QC 2H", "5C KH", "5D 5S"),
  viewed("QC 2H", "5C KH", "5D 5S"),
  viewed("2H 9S", "KH", "5D 5S 5C QC", { decisions: [pairs("5C", "QC")] }),
  viewed("2H 9S", "KH", "5D 5S 5C QC"),
]);

test("a card tells the turn and the action that moved it", () => {
  assert.equal(turnOfArrival(played, 3, cardOf("QC")), 2);
  assert.equal(cardNote(played, 3, cardOf("QC")), "Q♣: 3 points. Turn 2: Ann pairs 5♣ with Q♣.");
});

test("a card that replaced another one was drawn", () => {
  assert.equal(cardNote(played, 3, cardOf("9S")), "9♠: 2 points. Drawn on turn 2: Ann pairs 5♣ with Q♣.");
});

test("the note follows the shown turn", () => {
  assert.equal(cardNote(played, 1, cardOf("QC")), "Q♣: 3 points. Dealt at the start.");
});

test("a set tells its extra points", () => {
  assert.match(cardNote(played, 3, cardOf("5D")), /^5♦: 1 point\. 3 of this rank in the pile: 4 extra points\./);
});

test("a card of a new deal was dealt in it", () => {
  const next = matchOf([...played.turns.map(({ view }) => view), viewed("QC 2H", "KH", "", { deal: 2 })]);
  assert.equal(turnOfArrival(next, 4, cardOf("2H")), 4);
  assert.match(cardNote(next, 4, cardOf("QC")), /Dealt at the start\.$/);
});

test("turns that are not loaded leave the history out", () => {
  const later = matchOf([undefined, undefined, undefined, played.turns[3].view]);
  assert.equal(cardNote(later, 3, cardOf("KH")), "K♥: 5 points.");
});
