// What the note of a card says: its points, and the turn that brought it to its place.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../js/words.mjs";
import { arrivalOf, cardsNote, turnOfArrival } from "../../../arena/games/suit_pairs/static/suit_pairs/card-notes.js";
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

/** @param {number} index @param {string} card @param {string} how @param {number} turn */
function assertArrival(index, card, how, turn) {
  const found = arrivalOf(played, index, cardOf(card));
  assert.deepEqual([found?.how, found?.turn], [how, turn]);
}

test("a card's note gives the turn and the action that moved it", () => {
  assert.equal(turnOfArrival(played, 3, cardOf("QC")), 2);
  assertArrival(3, "QC", "chosen", 2);
  const note = cardsNote(played, 3, cards("QC"));
  assert.match(note, /^Q♣\D+3\D/);
  assert.match(note, /\D2\D.*Ann .*5♣.*Q♣/, "the turn, and what the player did in it");
});

test("a card that replaced another one was drawn", () => {
  assertArrival(3, "9S", "drawn", 2);
  assert.match(cardsNote(played, 3, cards("9S")), /^9♠\D+2\D.*\D2\D.*Ann .*5♣.*Q♣/);
});

test("the note follows the shown turn", () => {
  assertArrival(1, "QC", "dealt", 0);
  assert.match(cardsNote(played, 1, cards("QC")), /^Q♣\D+3\D+$/, "neither a turn nor another card");
});

test("a set's note gives its extra points", () => {
  assert.match(cardsNote(played, 3, cards("5D")), /^5♦\D+1\D+3\D+4\D/, "its points, the cards of its rank, their extra points");
});

test("the note of a rank in a pile has a line for each card", () => {
  const lines = cardsNote(played, 3, cards("5D 5S 5C")).split("\n");
  assert.equal(lines.length, 4);
  assert.deepEqual(lines.slice(0, 3).map((line) => line.slice(0, 2)), ["5♦", "5♠", "5♣"]);
  assert.match(lines[2], /\D2\D.*Ann .*5♣.*Q♣/, "its own history");
  assert.match(lines[3], /^3\D+4\D/, "the extra points, once");
});

test("a card of a new deal was dealt in it", () => {
  const next = matchOf([...played.turns.map(({ view }) => view), viewed("QC 2H", "KH", "", { deal: 2 })]);
  assert.equal(turnOfArrival(next, 4, cardOf("2H")), 4);
  assert.equal(arrivalOf(next, 4, cardOf("QC"))?.how, "dealt");
});

test("turns that are not loaded leave the history out", () => {
  const later = matchOf([undefined, undefined, undefined, played.turns[3].view]);
  assert.equal(arrivalOf(later, 3, cardOf("KH")), null);
  assert.match(cardsNote(later, 3, cards("KH")), /^K♥\D+5\D+$/);
});
