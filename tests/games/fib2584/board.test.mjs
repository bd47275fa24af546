/** The parts of the match view that need no DOM: slides, the paths of tiles, swipes. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { legalDirections, slide, tilesOf } = await import("../../../arena/games/fib2584/static/fib2584/board.js");
const { swipeDirection } = await import("../../../arena/games/fib2584/static/fib2584/direction-input.js");

test("a slide reports where each tile came from", () => {
  assert.deepEqual(slide(tilesOf("120003"), 3), { tiles: [3, 0, 0, 3, 0, 0], sources: [[0, 1], [], [], [5], [], []], reward: 3 });
  assert.deepEqual(slide(tilesOf("123000"), 1).tiles, [0, 1, 4, 0, 0, 0]);
  assert.deepEqual(slide(tilesOf("112000"), 3).tiles, [2, 2, 0, 0, 0, 0]);
});

test("a direction is legal if it changes the board", () => {
  assert.deepEqual(legalDirections(tilesOf("350000")), [1, 2]);
  assert.deepEqual(legalDirections(tilesOf("131313")), []);
});

test("a swipe needs a minimum length", () => {
  assert.equal(swipeDirection(80, 10), 1);
  assert.equal(swipeDirection(-80, 10), 3);
  assert.equal(swipeDirection(5, -60), 0);
  assert.equal(swipeDirection(5, 60), 2);
  assert.equal(swipeDirection(5, 6), null);
});
