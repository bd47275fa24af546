import assert from "node:assert/strict";
import { test } from "node:test";

import { PER_PAGE, pageOf, selectMoves } from "#matches/moves-model.js";

const match = (seats, turns) => ({
  seats: Array.from({ length: seats }),
  turns: turns.map((moved, number) => ({ number, view: {}, moves: moved.map((seat) => ({ seat })) })),
});
const picked = (lines) => lines.map(({ turn, played }) => [turn, played.seat]);

test("with two seats, every move is listed, newest first", () => {
  const reversi = match(2, [[], [0], [1], [0]]);
  assert.deepEqual(picked(selectMoves(reversi, null, 1)), [[3, 0], [2, 1], [1, 0]]);
  assert.deepEqual(picked(selectMoves(reversi, 1, 3)), [[2, 1]]);
});

test("with more seats, the shown turn is listed, or one seat's moves in all turns", () => {
  const golden = match(3, [[], [0, 1, 2], [0, 2]]);
  assert.deepEqual(picked(selectMoves(golden, null, 1)), [[1, 0], [1, 1], [1, 2]]);
  assert.deepEqual(picked(selectMoves(golden, null, -1)), []);
  assert.deepEqual(picked(selectMoves(golden, 2, 1)), [[2, 2], [1, 2]]);
});

test("a page that does not exist is replaced by the nearest one", () => {
  const lines = Array.from({ length: PER_PAGE + 1 }, (_, number) => number);
  assert.deepEqual(pageOf(lines, 2), { lines: [PER_PAGE], page: 2, pages: 2 });
  assert.equal(pageOf(lines, 9).page, 2);
  assert.equal(pageOf(lines, 0).page, 1);
  assert.deepEqual(pageOf([], 1), { lines: [], page: 1, pages: 1 });
});
