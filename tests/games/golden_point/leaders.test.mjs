import assert from "node:assert/strict";
import test from "node:test";
import { leadersOf, spreadPositions } from "../../../arena/games/golden_point/static/golden_point/leaders.js";

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

const scored = (...scores) => scores.map((score) => ({ score }));
const led = (...scores) => leadersOf(scored(...scores)).map(({ score }) => score);

test("everyone who shares the third place is a leader, up to six players", () => {
  assert.deepEqual(led(9, 8, 7, 6), [9, 8, 7]);
  assert.deepEqual(led(9, 9, 9, 9, 1), [9, 9, 9, 9]);
  assert.deepEqual(led(9, 8, 7, 7, 7, 7, 1), [9, 8, 7, 7, 7, 7]);
  assert.deepEqual(led(9, 8), [9, 8]);
});

test("a tie of too many players leaves only those ahead of it", () => {
  assert.deepEqual(led(9, 8, ...Array(26).fill(0)), [9, 8]);
  assert.deepEqual(led(...Array(7).fill(5), 1), []);
});

test("nobody leads while all have no points", () => {
  assert.deepEqual(led(0, 0), []);
  assert.deepEqual(led(), []);
});
