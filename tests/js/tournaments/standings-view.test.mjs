// A match's line in a tournament's list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { matchNames, rankText, StandingsView } = await import("#tournaments/standings-view.js");

const { StandingsModel } = await import("#tournaments/standings-model.js");

/** @returns {any} */
const line = (names, hidden) => ({ names, hidden });

test("the line of a large table says how many bots it omits", () => {
  assert.equal(matchNames(line(["a", "b"], 0)), "a – b");
  for (const hidden of [1, 2]) assert.match(matchNames(line(["a", "b", "c"], hidden)), new RegExp(`^a – b – c \\D+${hidden}\\D+$`));
});

/** @type {{status: string, shows_ranges: boolean, rank: number | null, best: number | null, worst: number | null, place: string, medal: string}[]} */
const PLACES = JSON.parse(readFileSync(new URL("../../tournaments/formats/places.json", import.meta.url), "utf8"));

for (const { status, shows_ranges, rank, best, worst, ...expected } of PLACES) {
  test(`${status}, ${shows_ranges ? "a bracket" : "a league"}: rank ${rank}, places ${best} to ${worst} are shown as on the server`, () => {
    const row = /** @type {any} */ ({ entry: 7, rank, best_place: best, worst_place: worst });
    const progress = { finished: 1, total: 3, running: 0, failed: 0 };
    const model = new StandingsModel({ seq: 1, status, shows_ranges, progress, rows: [row], order: [7], head_to_head: {}, matches: [] });
    assert.deepEqual({ place: rankText(row, model), medal: model.medal(row) }, expected);
  });
}

test("an estimated end is hidden once it is near, although no match has ended", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const estimate = { hidden: true, querySelector: () => null };
  const progress = { querySelector: (selector) => (selector.includes("estimate") ? estimate : null) };
  const root = /** @type {any} */ ({ querySelector: (selector) => (selector.includes("progress") ? progress : null) });
  const counts = { finished: 0, total: 3, running: 1, failed: 0, ends_at: new Date(90_000).toISOString() };
  const snapshot = { seq: 1, status: "running", shows_ranges: false, progress: counts, rows: [], order: [], head_to_head: {}, matches: [] };
  new StandingsView(root, new StandingsModel(/** @type {any} */ (snapshot))).draw();
  const isHidden = [estimate.hidden];
  for (const milliseconds of [75_000, 5_000]) {
    context.mock.timers.tick(milliseconds);
    isHidden.push(estimate.hidden);
  }
  assert.deepEqual(isHidden, [false, false, true]);
});
