import assert from "node:assert/strict";
import test from "node:test";

import { nextSquare } from "../../../arena/games/reversi/static/reversi/board-keys.js";

test("arrow keys move between squares and stay on the board", () => {
  assert.equal(nextSquare(0, "ArrowRight"), 1);
  assert.equal(nextSquare(0, "ArrowDown"), 8);
  assert.equal(nextSquare(63, "ArrowUp"), 55);
  assert.equal(nextSquare(63, "ArrowLeft"), 62);
  assert.equal(nextSquare(7, "ArrowRight"), 7);
  assert.equal(nextSquare(8, "ArrowLeft"), 8);
  assert.equal(nextSquare(3, "ArrowUp"), 3);
  assert.equal(nextSquare(60, "ArrowDown"), 60);
});
