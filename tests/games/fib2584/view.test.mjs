import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";
import { numbersIn } from "../../js/numbers.mjs";

const { mount } = await import("../../../arena/games/fib2584/static/fib2584/view.js");

const turn = (game, score, total, regret) => ({
  view: { game, games: 3, scores: [score], totals: [total], adjusted: [1], regrets: [regret], out: [] },
  moves: regret === null ? [] : [{ seat: 0, move: 0 }],
});

test("the sentence on the last move of a game gives the score of that game", () => {
  const turns = [turn(1, 0, 0, null), turn(1, 5, 5, 0.01), turn(2, 0, 13, 1183.4), turn(2, 3, 16, 0)];
  const display = /** @type {any} */ ({ querySelectorAll: () => [] });
  const { sentence } = mount({ display, side: null }, /** @type {any} */ ({ turns, seats: [{ index: 0, name: "Ann" }], last: 3 }));
  assert.match(sentence(1), /Ann/);
  assert.deepEqual(numbersIn(sentence(1)), [0.01, 5]);
  assert.deepEqual(numbersIn(sentence(2)), [1, 3, 1183.4, 13], "the game, the number of games, the regret and the score");
  assert.deepEqual(numbersIn(sentence(3)), [3], "a best move gives nothing away");
});
