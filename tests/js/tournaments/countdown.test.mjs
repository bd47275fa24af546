import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

const { clock } = await import("#tournaments/countdown.js");

test("hours, minutes and seconds", () => {
  assert.equal(clock(0), "00:00:00");
  assert.equal(clock(59.9), "00:00:59");
  assert.equal(clock(3 * 3600 + 4 * 60 + 5), "03:04:05");
});

test("days come before the time", () => {
  assert.equal(clock(2 * 86400 + 3600), "2 d 01:00:00");
});
