// The announcement for screen readers names a leader only if the reader may know it.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { StandingsModel } = await import("#tournaments/standings-model.js");
const { standingOf, standingSentence } = await import("#tournaments/standing-sentence.js");

const row = (entry, rank, points) => ({ entry, rank, name: `bot ${entry}`, points, status: "entered" });
const NOTHING = { finished: 0, total: 0, running: 0, failed: 0 };

function modelOf(status, rows, progress = { finished: 4, total: 9 }, more = {}) {
  const order = rows.map((one) => one.entry);
  const snapshot = { seq: 1, status, progress: { ...NOTHING, ...progress }, rows, order, head_to_head: {}, matches: [], ...more };
  return new StandingsModel(snapshot);
}

const standing = (...values) => standingOf(modelOf(...values));
const PROGRESS = { finished: "4", total: "9" };

const RANKED = [row(7, 1, 3), row(8, 2, 1)];
const LEVEL = [row(7, 1, 3), row(8, 1, 3)];
const HIDDEN = [row(7, null, 0), row(8, null, 0)];

test("a leader, and a shared lead", () => {
  assert.deepEqual(standing("running", RANKED), { code: "leads", values: { name: "bot 7", points: "3 points", ...PROGRESS } });
  assert.deepEqual(standing("paused", LEVEL), { code: "share_lead", values: { name: "bot 7, bot 8", points: "3 points", ...PROGRESS } });
});

test("nobody leads a bracket in which several places are still possible", () => {
  const open = LEVEL.map((one) => ({ ...one, best_place: 1, worst_place: 2 }));
  assert.deepEqual(standing("running", open, undefined, { shows_ranges: true }), { code: "progress", values: PROGRESS });
  assert.equal(standing("running", open)?.code, "share_lead");
});

test("the end names the winner", () => {
  assert.deepEqual(standing("finished", RANKED), { code: "wins", values: { name: "bot 7", points: "3 points" } });
  assert.deepEqual(standing("finished", LEVEL), { code: "share_first", values: { name: "bot 7, bot 8", points: "3 points" } });
});

for (const status of ["open", "frozen", "running", "paused", "finished"]) {
  test(`withheld results have no leader while the tournament is ${status}`, () => {
    const said = status === "finished" ? { code: "withheld", values: {} } : null;
    assert.deepEqual(standing(status, HIDDEN, NOTHING, { withheld: true }), said);
    assert.deepEqual(standing(status, RANKED, undefined, { withheld: true }), said);
    assert.doesNotMatch(standingSentence(modelOf(status, RANKED, undefined, { withheld: true })), /bot|points|\d/);
  });
}

test("before the first result, and on later pages of the standings, nobody leads", () => {
  assert.deepEqual(standing("running", HIDDEN, { finished: 0, total: 9 }), { code: "progress", values: { finished: "0", total: "9" } });
  assert.deepEqual(standing("running", [row(61, 61, 2)]), { code: "progress", values: PROGRESS });
  assert.equal(standing("open", [], NOTHING), null);
  assert.equal(standingSentence(modelOf("open", [], NOTHING)), "");
});

test("a cancelled tournament has no winner", () => {
  assert.deepEqual(standing("cancelled", RANKED), { code: "cancelled", values: {} });
});

test("only a snapshot after the release contains results", () => {
  const model = new StandingsModel({ seq: 1, status: "finished", progress: NOTHING, rows: HIDDEN, order: [7, 8], head_to_head: {}, matches: [], withheld: true });
  model.apply({ type: "status", seq: 2, status: "finished", progress: NOTHING });
  assert.equal(standingOf(model)?.code, "withheld");
  model.reset({ seq: 3, status: "finished", progress: { ...NOTHING, finished: 9, total: 9 }, rows: RANKED, order: [7, 8], head_to_head: {}, matches: [], withheld: false });
  assert.deepEqual(standingOf(model), { code: "wins", values: { name: "bot 7", points: "3 points" } });
});

test("for a score attack, it gives the total score, rounded as in the game", () => {
  const score = { score: { name: "Dared points", decimals: 1 } };
  const rows = [row(7, 1, 1422.339), row(8, 2, 3)];
  assert.deepEqual(standing("running", rows, undefined, score), { code: "leads_by_score", values: { name: "bot 7", score: "1422.3", ...PROGRESS } });
  assert.deepEqual(standing("finished", rows, undefined, score), { code: "wins_by_score", values: { name: "bot 7", score: "1422.3" } });
});

test("each standing has a sentence with all its values", () => {
  const score = { score: { name: "Dared points", decimals: 1 } };
  const cases = [];
  for (const status of ["running", "finished"]) for (const rows of [RANKED, LEVEL]) for (const more of [{}, score]) cases.push([status, rows, undefined, more]);
  cases.push(["running", HIDDEN, { finished: 0, total: 9 }]);
  for (const one of cases) {
    const text = standingSentence(modelOf(...one));
    for (const value of Object.values(standing(...one)?.values ?? {})) assert.ok(text.includes(value), text);
    assert.doesNotMatch(text, /%|undefined/);
  }
});
