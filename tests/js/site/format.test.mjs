import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { formatNumber, formatShortest, ordinal, points, score, signed } = await import("../../../static/js/site/format.js");

test("places are ordinals in English and numbers in other languages", () => {
  const places = [1, 2, 3, 4, 11, 12, 13, 21, 22, 60, 101, 111];
  assert.deepEqual(places.map((rank) => ordinal(rank, "en")), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "60th", "101st", "111th"]);
  assert.equal(ordinal(12, "zh-hans"), "12");
});

test("thousands are separated from five digits", () => {
  const examples = /** @type {[number, number, string][]} */ ([
    [4060, 0, "4060"],
    [9999.4, 0, "9999"],
    [9999.6, 0, "10,000"],
    [12345, 0, "12,345"],
    [1425.8, 1, "1425.8"],
    [-12345.6, 1, "−12,345.6"],
  ]);
  assert.deepEqual(examples.map(([value, decimals]) => formatNumber(value, decimals)), examples.map(([, , text]) => text));
});

test("axes have as many decimals as they need", () => {
  assert.deepEqual([1500, 20000, 0.05, -2.5, 0].map((value) => formatShortest(value, 3)), ["1500", "20,000", "0.05", "−2.5", "0"]);
});

test("points and changes have no trailing zeros", () => {
  assert.deepEqual([100, 0, 2.5, 0.5, -1.25, 12000.5].map(points), ["100", "0", "2½", "½", "−1.25", "12,000½"]);
  assert.deepEqual([5, -2, 0, 1.5, 100, 0.01].map(signed), ["+5", "−2", "0", "+1.5", "+100", "0"]);
});

test("scores that round to zero have no sign", () => {
  assert.deepEqual([-0.04, -0.06, 0.04].map((value) => score(value, 1)), ["0.0", "−0.1", "0.0"]);
});
