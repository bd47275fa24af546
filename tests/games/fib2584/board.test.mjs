/** What the view of a match computes without a document: slides and their ways, swipes, the verdict. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { legalDirections, slide, tilesOf } from "../../../arena/games/fib2584/static/fib2584/board.js";
import { swipeDirection } from "../../../arena/games/fib2584/static/fib2584/direction-input.js";
import { verdict } from "../../../arena/games/fib2584/static/fib2584/verdict.js";

test("a slide says from where each tile came", () => {
  assert.deepEqual(slide(tilesOf("120003"), 3), { tiles: [3, 0, 0, 3, 0, 0], sources: [[0, 1], [], [], [5], [], []], reward: 3 });
  assert.deepEqual(slide(tilesOf("123000"), 1).tiles, [0, 1, 4, 0, 0, 0]);
  assert.deepEqual(slide(tilesOf("112000"), 3).tiles, [2, 2, 0, 0, 0, 0]);
});

test("legal is what changes something", () => {
  assert.deepEqual(legalDirections(tilesOf("350000")), [1, 2]);
  assert.deepEqual(legalDirections(tilesOf("131313")), []);
});

test("a swipe has a direction where it is long enough", () => {
  assert.equal(swipeDirection(80, 10), 1);
  assert.equal(swipeDirection(-80, 10), 3);
  assert.equal(swipeDirection(5, -60), 0);
  assert.equal(swipeDirection(5, 60), 2);
  assert.equal(swipeDirection(5, 6), null);
});

test("the verdict names the move that gave most away and the turn that shows its position", () => {
  const view = (regret, board) => ({ game: 1, games: 1, boards: [board], totals: [10], adjusted: [1400], regrets: [regret] });
  const move = (direction) => [{ seat: 0, move: direction, fault: null }];
  const turns = [
    { number: 0, moves: [], view: view(null, "110000") },
    { number: 1, moves: move(1), view: view(5, "002100") },
    { number: 2, moves: move(2), view: view(20.8, "000121") },
    { number: 3, moves: move(3), view: view(0, "100210") },
  ];
  const found = verdict(turns, 0, 1425.8);
  assert.deepEqual(found?.worst, { turn: 1, direction: 2, board: "002100", regret: 20.8 });
  assert.ok(Math.abs(found.luck + 1390) < 1e-9);
  assert.equal(verdict([], 0, 1425.8), null);
});
