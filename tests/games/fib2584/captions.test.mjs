import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { caption, facts } = await import("../../../arena/games/fib2584/static/fib2584/captions.js");

const seats = ["Ann", "Ben"].map((name, index) => ({ name, index }));
const turn = (game, adjusted, regrets) => ({ view: { game, games: 3, adjusted, regrets, out: [] }, moves: [0, 1].map((seat) => ({ seat, move: 0 })) });
const model = (turns, outcome = null) => /** @type {any} */ ({ turns, seats, outcome, last: turns.length - 1 });

const TURNS = [turn(1, [0, 0], [null, null]), turn(1, [90, 0], [0, 90]), turn(2, [90, 0], [0, 0]), turn(2, [70, 20], [20, 3.5])];

test("the luck-adjusted lead, and the costliest move of the current game", () => {
  const [lead, costliest] = facts(model(TURNS), 3);
  assert.deepEqual(lead, { code: "lead", values: { name: "Ann", points: "50.0", game: 2, games: 3 } });
  assert.equal(costliest.code, "costliest");
  assert.deepEqual([costliest.values.name, costliest.values.regret], ["Ann", "20.0"]);
});

test("good moves and level scores", () => {
  assert.deepEqual(facts(model([turn(1, [5, 5], [0, 0.4])]), 0), [{ code: "even", values: { game: 1, games: 3 } }]);
});

test("after the end, the costliest move remains", () => {
  assert.deepEqual(facts(model(TURNS, { winner: 0 }), 3).map(({ code }) => code), ["costliest"]);
});

test("every fact has a sentence", () => {
  for (const text of [caption(model(TURNS), 3), caption(model(TURNS), 0)]) {
    assert.match(text, /\.$/);
    assert.doesNotMatch(text, /undefined|%/);
  }
});
