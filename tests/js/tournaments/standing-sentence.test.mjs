// The announcement for screen readers names a leader only if the reader may know it.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { StandingsModel } = await import("#tournaments/standings-model.js");
const { standingSentence } = await import("#tournaments/standing-sentence.js");

const row = (entry, rank, points) => ({ entry, rank, name: `bot ${entry}`, points, status: "entered" });
const NOTHING = { finished: 0, total: 0, running: 0, failed: 0 };

function sentence(status, rows, progress = { finished: 4, total: 9 }, more = {}) {
  const order = rows.map((one) => one.entry);
  const snapshot = { seq: 1, status, progress: { ...NOTHING, ...progress }, rows, order, head_to_head: {}, matches: [], ...more };
  return standingSentence(new StandingsModel(snapshot));
}

const RANKED = [row(7, 1, 3), row(8, 2, 1)];
const LEVEL = [row(7, 1, 3), row(8, 1, 3)];
const HIDDEN = [row(7, null, 0), row(8, null, 0)];

test("a leader, and a shared lead", () => {
  assert.equal(sentence("running", RANKED), "bot 7 leads with 3 points; 4 of 9 matches played.");
  assert.equal(sentence("paused", LEVEL), "bot 7, bot 8 share the lead with 3 points; 4 of 9 matches played.");
});

test("nobody leads a bracket in which several places are still possible", () => {
  const open = LEVEL.map((one) => ({ ...one, best_place: 1, worst_place: 2 }));
  assert.equal(sentence("running", open, undefined, { shows_ranges: true }), "4 of 9 matches played");
  assert.equal(sentence("running", open), "bot 7, bot 8 share the lead with 3 points; 4 of 9 matches played.");
});

test("the end names the winner", () => {
  assert.equal(sentence("finished", RANKED), "The tournament is over: bot 7 wins with 3 points.");
  assert.equal(sentence("finished", LEVEL), "The tournament is over: bot 7, bot 8 share first place with 3 points.");
});

for (const status of ["open", "frozen", "running", "paused", "finished"]) {
  test(`withheld results have no leader while the tournament is ${status}`, () => {
    const text = sentence(status, HIDDEN, NOTHING, { withheld: true });
    assert.doesNotMatch(text, /bot|points|\d/);
    if (status === "finished") assert.match(text, /withheld until the organizer/);
    assert.doesNotMatch(sentence(status, RANKED, undefined, { withheld: true }), /bot|points|\d/);
  });
}

test("before the first result, and on later pages of the standings, nobody leads", () => {
  assert.equal(sentence("running", HIDDEN, { finished: 0, total: 9 }), "0 of 9 matches played");
  assert.equal(sentence("running", [row(61, 61, 2)]), "4 of 9 matches played");
  assert.equal(sentence("open", [], NOTHING), "");
});

test("a cancelled tournament has no winner", () => {
  assert.equal(sentence("cancelled", RANKED), "The tournament was cancelled.");
});

test("only a snapshot after the release contains results", () => {
  const model = new StandingsModel({ seq: 1, status: "finished", progress: NOTHING, rows: HIDDEN, order: [7, 8], head_to_head: {}, matches: [], withheld: true });
  model.apply({ type: "status", seq: 2, status: "finished", progress: NOTHING });
  assert.match(standingSentence(model), /withheld/);
  model.reset({ seq: 3, status: "finished", progress: { ...NOTHING, finished: 9, total: 9 }, rows: RANKED, order: [7, 8], head_to_head: {}, matches: [], withheld: false });
  assert.equal(standingSentence(model), "The tournament is over: bot 7 wins with 3 points.");
});

test("for a score attack, it gives the total score, rounded as in the game", () => {
  const score = { score: { name: "Dared points", decimals: 1 } };
  const rows = [row(7, 1, 1422.339), row(8, 2, 3)];
  assert.equal(sentence("running", rows, undefined, score), "In the lead: bot 7, total score 1422.3; 4 of 9 matches played.");
  assert.equal(sentence("finished", rows, undefined, score), "The tournament is over. First place: bot 7, total score 1422.3.");
});
