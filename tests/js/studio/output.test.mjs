import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
const { detailText, endReason, listedMove, scoreText, wholeRows } = await import("#studio/output.js");

const score = { games: 20, played: 7, failed: false, rate: 0.07, low: 0, high: 0.4, mean: null, half: null };

test("the number of matches played is no number of wins", () => {
  const played = scoreText({ ...score, rate: null });
  assert.match(played, /^7\D+20\D+$/);
  assert.match(scoreText(score), /^\D+7 % · /);
  assert.match(scoreText({ ...score, rate: null, mean: 1234.56 }), /^[^\d%]+1234\.6 · /);
  for (const more of [{}, { rate: null, mean: 1234.56 }]) assert.ok(scoreText({ ...score, ...more }).endsWith(` · ${played}`));
});

test("opponents' moves are listed where one seat moves at a time", () => {
  const move = (/** @type {number} */ seat) => /** @type {any} */ ({ seat, move: seat });
  assert.equal(listedMove([move(1)], 0)?.seat, 1);
  assert.equal(listedMove([move(1), move(0)], 0)?.seat, 0);
  assert.equal(listedMove([move(1), move(2)], 0), undefined);
  assert.equal(listedMove([], 0), undefined);
});

test("a run that ended early says why", () => {
  assert.equal(endReason({ ...score, failed: true }, "finished"), "failure");
  assert.equal(endReason(score, "finished"), "time_limit");
  assert.notEqual(detailText({ ...score, failed: true }, "finished"), detailText(score, "finished"));
});

test("the interval gives way to the reason why a run ended early", () => {
  const interval = /\b0\D+40 %/;
  assert.match(detailText(score, "running"), interval);
  for (const failed of [true, false]) {
    const reason = detailText({ ...score, failed }, "finished");
    assert.notEqual(reason, "");
    assert.doesNotMatch(reason, interval);
  }
});

test("the result of a stopped run already says why it ended", () => {
  for (const status of ["queued", "running", "cancelled", "void"]) assert.equal(endReason(score, status), "");
  assert.equal(endReason({ ...score, played: 20, failed: true }, "finished"), "");
});

test("the list of moves shows whole rows, the next one first, then earlier ones", () => {
  const heights = [10, 20, 30, 10, 10];
  const shown = (/** @type {number} */ current, /** @type {number} */ space) => wholeRows((index) => heights[index], heights.length, current, space);
  assert.deepEqual(shown(2, 100), { first: 0, height: 80 });
  assert.deepEqual(shown(2, 65), { first: 1, height: 60 });
  assert.deepEqual(shown(2, 35), { first: 2, height: 30 });
  assert.deepEqual(shown(4, 45), { first: 3, height: 20 });
  assert.deepEqual(shown(0, 45), { first: 0, height: 30 });
  assert.deepEqual(shown(2, 20), { first: 2, height: 20 }); // a row that is higher than the list
});
