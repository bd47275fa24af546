import assert from "node:assert/strict";
import test from "node:test";
import { spreadPositions } from "../../../arena/games/golden_point/static/golden_point/leaders.js";

test("names that do not overlap keep their positions", () => {
  assert.deepEqual(spreadPositions([10, 50, 30], 15, 0, 100), [10, 50, 30]);
});

test("names that would overlap are moved apart and keep their order", () => {
  assert.deepEqual(spreadPositions([50, 51, 52], 10, 0, 100), [50, 60, 70]);
  assert.deepEqual(spreadPositions([52, 50, 51], 10, 0, 100), [70, 50, 60]);
});

test("names at an edge stay within the chart", () => {
  assert.deepEqual(spreadPositions([99, 100, 98], 10, 0, 100), [90, 100, 80]);
  assert.deepEqual(spreadPositions([-20, 400], 10, 5, 95), [5, 95]);
  assert.deepEqual(spreadPositions([], 10, 0, 100), []);
});
