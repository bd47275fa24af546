// A match's line in a tournament's list.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { matchNames, rankText } = await import("#tournaments/standings-view.js");

const { StandingsModel } = await import("#tournaments/standings-model.js");

/** @returns {any} */
const line = (names, hidden) => ({ names, hidden });

test("the line of a large table says how many bots it omits", () => {
  assert.equal(matchNames(line(["a", "b"], 0)), "a – b");
  for (const hidden of [1, 2]) assert.match(matchNames(line(["a", "b", "c"], hidden)), new RegExp(`^a – b – c \\D+${hidden}\\D+$`));
});

/** @param {string} status @param {boolean} shows_ranges @param {number | null} worst_place @returns {string[]} the place, and its medal */
function place(status, shows_ranges, worst_place, rank = /** @type {number | null} */ (1)) {
  const row = /** @type {any} */ ({ entry: 7, rank, best_place: worst_place && 1, worst_place });
  const progress = { finished: 1, total: 3, running: 0, failed: 0 };
  const model = new StandingsModel({ seq: 1, status, shows_ranges, progress, rows: [row], order: [7], head_to_head: {}, matches: [] });
  return [rankText(row, model), model.medal(row)];
}

test("while a bracket is played, a place is the range that is still possible", () => {
  assert.deepEqual(place("running", true, 8), ["1–8", ""]);
  assert.deepEqual(place("paused", true, 8), ["1–8", ""]);
  assert.deepEqual(place("running", true, 1), ["1", "1"]);
  assert.deepEqual(place("finished", true, 8), ["1", "1"]);
  assert.deepEqual(place("running", true, null), ["1", "1"], "too large a bracket");
  assert.deepEqual(place("running", false, 8), ["1", "1"], "a league");
  assert.deepEqual(place("running", true, 8, null), ["–", ""]);
});
