import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { caption, facts } = await import("../../../arena/games/fib2584/static/fib2584/captions.js");

const seats = ["Ann", "Ben"].map((name, index) => ({ name, index }));
const scored = (scores, totals) => ({ scores, totals });
const turn = (game, adjusted, regrets, sums = scored([0, 0], [0, 0]), out = []) => ({ view: { game, games: 3, adjusted, regrets, out, ...sums }, moves: [0, 1].map((seat) => ({ seat, move: 0 })) });
const model = (turns, outcome = null) => /** @type {any} */ ({ turns, seats, outcome, last: turns.length - 1 });

// The second turn ends the first game: its moves were made there, and its view shows the start of the second game.
const TURNS = [turn(1, [0, 0], [null, null]), turn(1, [90, 0], [0, 40]), turn(2, [90, 0], [0, 1183.4]), turn(2, [70, 20], [20, 3.5])];
const alone = (turns) => ({ ...model(turns), seats: seats.slice(0, 1) });

test("the luck-adjusted lead, and the costliest move of the current game", () => {
  const [lead, costliest] = facts(model(TURNS), 3);
  assert.deepEqual(lead, { code: "lead", values: { name: "Ann", points: "50.0", game: 2, games: 3 } });
  assert.equal(costliest.code, "costliest");
  assert.deepEqual([costliest.values.name, costliest.values.regret], ["Ann", "20.0"]);
});

test("the last move of a game counts for that game", () => {
  const [, before] = facts(model(TURNS), 2);
  assert.equal(before.code, "costliest_before", "the new game has no move yet");
  assert.deepEqual([before.values.game, before.values.name, before.values.regret], [1, "Ben", "1183.4"]);
  const [, own] = facts(model(TURNS), 3);
  assert.deepEqual([own.code, own.values.regret], ["costliest", "20.0"]);
});

test("nothing is said about a game whose first turns are missing", () => {
  const turns = [undefined, ...TURNS.slice(1)];
  assert.deepEqual(facts(model(turns), 1).map(({ code }) => code), ["lead"]);
  assert.equal(facts(model(turns), 3)[1].code, "costliest", "all turns of game 2 are there");
});

test("a bot without opponents that plays perfectly has its score and its moves to show", () => {
  const turns = [turn(1, [5], [null], scored([0], [0])), turn(1, [5], [0.4], scored([12], [12])), turn(2, [5], [0], scored([0], [30])), turn(2, [5], [0], scored([7], [37]))];
  assert.deepEqual(facts(alone(turns), 1), [
    { code: "first_score", values: { name: "Ann", score: "12", game: 1, games: 3 } },
    { code: "flawless", values: {} },
  ]);
  assert.deepEqual(facts(alone(turns), 3)[0], { code: "score", values: { name: "Ann", score: "7", mean: "30.0", game: 2, games: 3 } });
  turns.push(turn(2, [5], [9], scored([8], [38])));
  assert.deepEqual(facts(alone(turns), 4).map(({ code }) => code), ["costliest"], "short, because the board needs the room");
  assert.deepEqual(turns.map((_, index) => caption(alone(turns), index) !== ""), turns.map(() => true));
});

test("the last bot in a match has its score", () => {
  assert.equal(facts(model([turn(1, [5, 5], [null, null], scored([3, 4], [3, 4]), [0])]), 0)[0].values.name, "Ben");
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
