import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { detailText, endText, scoreText } = await import("#studio/output.js");

const score = { games: 20, played: 7, failed: false, rate: 0.07, low: 0, high: 0.4, mean: null, half: null };

test("the number of matches played is no number of wins", () => {
  assert.equal(scoreText(score), "Won 7 % · 7 of 20 played");
  assert.equal(scoreText({ ...score, rate: null }), "7 of 20 played");
  assert.equal(scoreText({ ...score, rate: null, mean: 1234.56 }), "Mean score 1234.6 · 7 of 20 played");
});

test("a run that ended early says why", () => {
  assert.equal(endText({ ...score, failed: true }, "finished"), "stopped at the first failure");
  assert.equal(endText(score, "finished"), "stopped at the time limit");
});

test("the interval gives way to the reason why a run ended early", () => {
  assert.equal(detailText(score, "running"), "95 % CI 0 to 40 %");
  assert.equal(detailText({ ...score, failed: true }, "finished"), "stopped at the first failure");
});

test("the result of a stopped run already says why it ended", () => {
  for (const status of ["queued", "running", "cancelled", "void"]) assert.equal(endText(score, status), "");
  assert.equal(endText({ ...score, played: 20, failed: true }, "finished"), "");
});
