// A person's selection at the card table before it is sent: kinds of action, cards, and the resulting moves.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../js/words.mjs";
import { Selection } from "../../../arena/games/suit_pairs/static/suit_pairs/selection.js";
import { cardLabel, cardName, cardOf, pilePoints } from "../../../arena/games/suit_pairs/static/suit_pairs/cards.js";

const cards = (names) => names.split(" ").filter(Boolean).map(cardOf);
const viewed = (hand, table, legal, more = {}) => ({
  stage: "init",
  table: cards(table),
  hands: [cards(hand), null],
  piles: [[], []],
  pending: [null, null],
  legal: legal.split(" "),
  ...more,
});
const names = (found) => found.map(cardName).join(" ");

test("cards have names and labels", () => {
  assert.deepEqual(cards("AC KC AD 10H KS"), [0, 12, 13, 35, 51]);
  assert.equal(cardLabel(35), "10♥");
  assert.equal(cardOf("swap"), -1);
});

test("a pair is two clicks and three moves", () => {
  const choosing = new Selection(viewed("5C 6D", "KC QC 2H", "swap pair"), 0);
  assert.equal(choosing.kind, "pair");
  assert.equal(names(choosing.hand), "5C");
  assert.deepEqual(choosing.table, []);
  assert.equal(choosing.choose(cardOf("5C")), null);
  assert.equal(names(choosing.table), "KC QC");
  assert.deepEqual(choosing.choose(cardOf("QC")), ["pair", "5C", "QC"]);
});

test("a selection is kept for the same position received again, not for another turn", () => {
  const position = () => viewed("5C 6D", "KC QC 2H", "swap pair");
  const choosing = new Selection(position(), 0);
  assert.ok(choosing.isFor(position()));
  assert.ok(!choosing.isFor(viewed("6D", "QC 2H", "swap pair")));
});

test("a first card can be changed, and deselected by a click or by cancelling", () => {
  const choosing = new Selection(viewed("5C 6D", "KC QD", "swap pair"), 0);
  choosing.choose(cardOf("5C"));
  choosing.choose(cardOf("6D"));
  assert.equal(names(choosing.chosen), "6D");
  choosing.choose(cardOf("6D"));
  assert.deepEqual(choosing.chosen, []);
  choosing.choose(cardOf("5C"));
  assert.ok(choosing.isPartial);
  choosing.cancel();
  assert.deepEqual([choosing.chosen, choosing.kind, choosing.isPartial], [[], "pair", false]);
});

test("function cards are buttons that can be undone", () => {
  const choosing = new Selection(viewed("5C 6D 7H", "KC", "swap capture pair"), 0);
  choosing.take("swap");
  assert.equal(names(choosing.hand), "5C 6D 7H");
  choosing.take("swap");
  assert.equal(choosing.kind, "pair");
  choosing.take("swap");
  assert.deepEqual(choosing.choose(cardOf("7H")), ["swap", "7H"]);
  const other = new Selection(viewed("5C 6D 7H", "KC", "swap capture pair"), 0);
  other.take("capture");
  assert.equal(other.choose(cardOf("7H")), null);
  assert.deepEqual(other.choose(cardOf("5C")), ["capture", "7H", "5C"]);
});

test("without a pair, a button must be pressed first, unless there is only one kind of action", () => {
  const choosing = new Selection(viewed("5C 6D", "KS", "swap discard_1"), 0);
  assert.deepEqual([choosing.kind, choosing.hand, choosing.kinds], [null, [], ["discard", "swap"]]);
  assert.equal(choosing.choose(cardOf("5C")), null);
  choosing.take("discard");
  assert.deepEqual(choosing.choose(cardOf("6D")), ["discard_1", "6D"]);
  const forced = new Selection(viewed("5C 6D", "KS", "5C 6D", { stage: "discard_2" }), 0);
  assert.deepEqual(forced.choose(cardOf("6D")), ["6D"]);
});

test("the discard that ends a turn happens in the pair stage, without a pair", () => {
  const choosing = new Selection(viewed("5C 6D", "KS", "5C 6D", { stage: "pair" }), 0);
  assert.equal(choosing.kind, "pass");
  assert.deepEqual(choosing.choose(cardOf("5C")), ["5C"]);
});

test("after a reload, the card already played waits for its partner", () => {
  const choosing = new Selection(viewed("5C 6C", "KC QC 2H", "KC QC", { stage: "pair", pending: [cardOf("5C"), null] }), 0);
  assert.deepEqual([choosing.hand, names(choosing.table)], [[], "KC QC"]);
  assert.deepEqual(choosing.choose(cardOf("KC")), ["KC"]);
  const capture = new Selection(viewed("5C 6C 7D", "KC", "6C 7D", { stage: "capture", pending: [cardOf("5C"), null] }), 0);
  assert.deepEqual(capture.choose(cardOf("7D")), ["7D"]);
});

test("a pile scores its cards, plus the third and fourth of a rank", () => {
  assert.equal(pilePoints(cards("AC 7D 8H 10S JC QD KH")), 1 + 1 + 2 + 2 + 3 + 3 + 5);
  assert.equal(pilePoints(cards("KC KD")), 10);
  assert.equal(pilePoints(cards("KC KD KH")), 19);
  assert.equal(pilePoints(cards("KC KD KH KS")), 28);
});

test("the second card shows the points that both would gain", () => {
  const choosing = new Selection(viewed("5C 6D", "KC 5D QC", "pair", { piles: [cards("5H KD KH"), []] }), 0);
  assert.equal(choosing.gain(cardOf("5C")), null);
  choosing.choose(cardOf("5C"));
  assert.equal(choosing.gain(cardOf("KC")), 1 + 5 + 4);
  assert.equal(choosing.gain(cardOf("QC")), 4);
  assert.equal(choosing.gain(cardOf("5C")), null, "choosing a chosen card again deselects it and gains nothing");
  assert.equal(choosing.gain(cardOf("6D")), null, "another card from the hand would replace the first one");
  const going = new Selection(viewed("5C 6D", "KC QC", "KC QC", { stage: "pair", pending: [cardOf("5C"), null], piles: [cards("5C"), []] }), 0);
  assert.equal(going.gain(cardOf("QC")), 4, "the pending card is not counted twice");
});

test("a card that cannot be chosen has a reason", () => {
  const choosing = new Selection(viewed("5C 6D", "KC QC 2H", "swap pair"), 0);
  assert.equal(choosing.obstacle(cardOf("6D")), "no_partner");
  assert.equal(choosing.obstacle(cardOf("KC")), "hand_first");
  choosing.choose(cardOf("5C"));
  assert.equal(choosing.obstacle(cardOf("2H")), "other_suit");
  choosing.take("swap");
  assert.equal(choosing.obstacle(cardOf("KC")), "from_hand");
  const stuck = new Selection(viewed("5C 6D", "2H", "swap discard_1"), 0);
  assert.equal(stuck.obstacle(cardOf("5C")), "no_kind");
});
