import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { caption, facts } = await import("../../../arena/games/suit_pairs/static/suit_pairs/captions.js");

const view = (changes) => ({ deal: 1, deals: 1, deck: 20, points: [7, 3], over: [], ...changes });
const model = (changes, outcome = null) => /** @type {any} */ ({ turns: [{ view: view(changes) }], seats: [{ name: "Ann" }, { name: "Ben" }], outcome, last: 0 });

test("in a single deal, the lead and the deck", () => {
  assert.deepEqual(facts(model({}), 0), [{ code: "lead_in_deck", values: { name: "Ann", points: "4 points", cards: 20 } }]);
  assert.equal(facts(model({ points: [3, 3] }), 0)[0].code, "even_in_deck");
});

test("in several deals, all points so far and the deals won", () => {
  const found = facts(model({ deal: 3, deals: 4, over: [[5, 9], [2, 9]] }), 0);
  assert.deepEqual(found, [
    { code: "lead_in_deal", values: { name: "Ben", points: "7 points", deal: 3, deals: 4 } },
    { code: "deals_won", values: { name: "Ben", won: 2, lost: 0 } },
  ]);
});

test("after the end, only what the result does not say", () => {
  assert.deepEqual(facts(model({}, { winner: 0 }), 0), []);
});

test("every fact has a sentence", () => {
  for (const changes of [{}, { points: [3, 3] }, { deals: 2, over: [[1, 0]] }, { deals: 2, points: [1, 1], over: [] }]) {
    const text = caption(model(changes), 0);
    assert.match(text, /\.$/);
    assert.doesNotMatch(text, /undefined|%/);
  }
});
