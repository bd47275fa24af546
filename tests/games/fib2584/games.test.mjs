import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { gameOfMoves, scoreAfterMove, turnsOfGame } = await import("../../../arena/games/fib2584/static/fib2584/games.js");

const turn = (game, score, total) => ({ view: { game, scores: [score], totals: [total] }, moves: [] });
const TURNS = /** @type {any[]} */ ([turn(1, 0, 0), turn(1, 5, 5), turn(2, 0, 13), turn(2, 3, 16)]);

test("the last move of a game was made before the next game started", () => {
  assert.deepEqual(TURNS.map((_, at) => gameOfMoves(TURNS, at)), [undefined, 1, 1, 2]);
  assert.deepEqual([1, 2].map((game) => turnsOfGame(TURNS, 3, game)), [[2, 1], [3]]);
  assert.deepEqual(turnsOfGame([undefined, ...TURNS.slice(1)], 3, 1), [], "incomplete");
});

test("the score after the last move of a game is that of the game", () => {
  assert.deepEqual([1, 2, 3].map((at) => scoreAfterMove(TURNS, at, 0)), [5, 13, 3]);
});
