import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

const { countdownText } = await import("#tournaments/countdown.js");

test("hours, minutes and seconds", () => {
  assert.equal(countdownText(0), "00:00:00");
  assert.equal(countdownText(59.9), "00:00:59");
  assert.equal(countdownText(3 * 3600 + 4 * 60 + 5), "03:04:05");
});

test("days come before the time", () => {
  assert.equal(countdownText(2 * 86400 + 3600), "2 d 01:00:00");
});
