import assert from "node:assert/strict";
import { test } from "node:test";

import { extent, lineDashes, paintedSeats } from "../../../arena/games/golden_point/static/golden_point/points.js";

const round = (number, golden, numbers) => ({ round: number, golden, numbers });

test("a lone high number does not flatten the chart", () => {
  const usual = Array.from({ length: 50 }, (_, seat) => [5 + seat / 50]);
  const { high, most } = extent([undefined, round(1, 4, [...usual, [99]])], 1, 1);
  assert.equal(most, 99);
  assert.ok(high < 10, `${high}`);
});

test("the golden line is always in view", () => {
  const { high } = extent([undefined, round(1, 30, [[1], [2], [90]])], 1, 1);
  assert.ok(high >= 30, `${high}`);
});

test("removed seats and rounds without numbers are skipped", () => {
  assert.deepEqual(extent([undefined, round(1, null, [null, null])], 1, 1), { low: 0.1, high: 100, most: 100 });
});

test("if a round is rough, all rounds show only its seats and the chosen ones", () => {
  const rough = { ...round(1, 4, [[1], undefined, [3]]), isRough: true };
  const whole = round(2, 4, [[1], [2], [3], [4]]);
  const rounds = [undefined, rough, whole];
  assert.deepEqual(paintedSeats(rounds, { first: 1, last: 2 }, 4, new Set()), [0, 2]);
  assert.deepEqual(paintedSeats(rounds, { first: 1, last: 2 }, 4, new Set([3])), [0, 2, 3]);
  assert.deepEqual(paintedSeats(rounds, { first: 2, last: 2 }, 4, new Set()), [0, 1, 2, 3]);
});

test("lines of the same colour have different dashes", () => {
  const dashes = lineDashes([5, 17, 2, 29]);
  assert.deepEqual([dashes.get(5), dashes.get(2)], [[], []]);
  assert.equal(new Set([5, 17, 29].map((seat) => String(dashes.get(seat)))).size, 3);
});
