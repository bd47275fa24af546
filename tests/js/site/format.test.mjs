import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { ordinal, score } = await import("../../../static/js/site/format.js");

test("places are ordinals in English and numbers in other languages", () => {
  const places = [1, 2, 3, 4, 11, 12, 13, 21, 22, 60, 101, 111];
  assert.deepEqual(places.map((rank) => ordinal(rank, "en")), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "60th", "101st", "111th"]);
  assert.equal(ordinal(12, "zh-hans"), "12");
});

test("scores that round to zero have no sign", () => {
  assert.deepEqual([-0.04, -0.06, 0.04].map((value) => score(value, 1)), ["0.0", "−0.1", "0.0"]);
});
