import assert from "node:assert/strict";
import { test } from "node:test";
import { curveColumns, leadRange, markedMoves } from "../../../../arena/games/reversi/analysis/static/reversi_analysis/chart-data.js";

const at = (ply, value, exact = false, grade = null) => ({ ply, value, exact, grade });

test("the line of estimates ends at the first proven value, and unknown values leave a gap", () => {
  const positions = [at(0, null), at(1, 2.5), at(2, -3), at(3, 6, true), at(4, 6, true)];
  assert.deepEqual(curveColumns(positions), [
    [0, 1, 2, 3, 4],
    [null, 2.5, -3, 6, null],
    [null, null, null, 6, 6],
  ]);
});

test("no line crosses a gap", () => {
  assert.deepEqual(curveColumns([at(0, null), at(1, 6, true)])[1], [null, null]);
});

test("zero is in the middle, and a close game stays flat", () => {
  assert.deepEqual(leadRange([at(0, 1), at(1, -2)]), [-16, 16]);
  assert.deepEqual(leadRange([at(0, 10), at(1, -20.5)]), [-24, 24]);
  assert.deepEqual(leadRange([at(0, 64)]), [-64, 64]);
  assert.deepEqual(leadRange([at(0, null)]), [-16, 16]);
});

test("mistakes and blunders are marked once their values are known", () => {
  const positions = [at(1, 3, false, "doubtful"), at(2, 3, false, "mistake"), at(3, null, false, "blunder"), at(4, 3, true, "blunder")];
  assert.deepEqual(markedMoves(positions).map((one) => one.ply), [2, 4]);
});
