import assert from "node:assert/strict";
import test from "node:test";

import { columns, timeRange, valueRange } from "#ratings/chart-data.js";

const DAY = 86_400;
const point = (day, version, value) => ({ time: day * DAY, version, value, low: value - 40, high: value + 60, first: false });

test("versions that played on the same day are side by side, in order", () => {
  const [times, values, lows, highs] = columns([point(1, 1, 1500), point(2, 1, 1510), point(2, 2, 1600), point(3, 2, 1620)]);
  assert.deepEqual(times, [DAY, 2 * DAY, 2.5 * DAY, 3 * DAY]);
  assert.deepEqual(values, [1500, 1510, 1600, 1620]);
  assert.deepEqual(lows, [1460, 1470, 1560, 1580]);
  assert.deepEqual(highs, [1560, 1570, 1660, 1680]);
});

test("a single point has a margin", () => {
  assert.deepEqual(timeRange([5 * DAY]), [4 * DAY, 6 * DAY]);
  assert.deepEqual(valueRange([1460], [1560]), [1450, 1600]);
});

test("a long history has a proportional margin", () => {
  const [first, last] = timeRange([0, 100 * DAY]);
  assert.equal(first, -3 * DAY);
  assert.equal(last, 103 * DAY);
});
