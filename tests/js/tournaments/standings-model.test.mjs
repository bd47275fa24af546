import assert from "node:assert/strict";
import { test } from "node:test";

import { StandingsModel } from "#tournaments/standings-model.js";

const row = (entry, points) => ({ entry, rank: 1, name: `bot ${entry}`, points, played: 0, best_place: null, worst_place: null, status: "entered", note: "" });
const line = (id, status) => ({ id, url: `/matches/${id}/`, status, names: ["a", "b"], points: [null, null] });
const snapshot = () => ({
  seq: 4,
  status: "running",
  progress: { finished: 1, total: 3, running: 1, failed: 0 },
  rows: [row(1, 2), row(2, 1)],
  order: [1, 2],
  head_to_head: { 1: { 2: { points: 1, played: 1 } }, 2: { 1: { points: 0, played: 1 } } },
  matches: [line(8, "running"), line(7, "finished")],
});

const result = {
  type: "result",
  seq: 5,
  rows: [row(2, 3)],
  order: [2, 1],
  head_to_head: [{ a: 1, b: 2, points_a: 1, points_b: 2, played: 3 }],
  match: line(8, "finished"),
  progress: { finished: 2, total: 3, running: 0, failed: 0 },
};

test("a result changes rows, order, pairs and progress", () => {
  const model = new StandingsModel(snapshot());
  assert.equal(model.result(1, 2), "ahead");
  assert.equal(model.apply(result), false);
  assert.deepEqual(model.order, [2, 1]);
  assert.equal(model.rows.get(2).points, 3);
  assert.equal(model.result(1, 2), "behind");
  assert.equal(model.result(2, 1), "ahead");
  assert.equal(model.progress.finished, 2);
});

test("an event applied twice changes nothing", () => {
  const once = new StandingsModel(snapshot());
  once.apply(result);
  const twice = new StandingsModel(snapshot());
  twice.apply(result);
  twice.apply(result);
  assert.deepEqual({ ...twice }, { ...once });
});

test("the event of a match keeps the expected end", () => {
  const progress = { ...snapshot().progress, ends_at: "2026-05-04T12:00:00Z" };
  const model = new StandingsModel({ ...snapshot(), progress });
  model.apply({ type: "match", seq: 5, match: line(9, "running"), progress: { ...snapshot().progress, running: 2 } });
  assert.deepEqual(model.progress, { ...progress, running: 2 });
});

test("a rank that many entries share has no medal", () => {
  const tied = (/** @type {number} */ n) => new StandingsModel({ ...snapshot(), rows: Array.from({ length: n }, (_, i) => row(i + 1, 0)) });
  assert.equal(tied(3).medal(row(1, 0)), "1");
  assert.equal(tied(4).medal(row(1, 0)), "");
  assert.equal(tied(3).medal({ ...row(1, 0), rank: null }), "");
});

test("running matches come before finished ones", () => {
  const model = new StandingsModel(snapshot());
  model.apply({ type: "match", seq: 5, match: line(9, "running"), progress: snapshot().progress });
  assert.deepEqual(model.matches.map((match) => match.id), [8, 9, 7]);
  model.apply({ type: "match", seq: 6, match: line(8, "finished"), progress: snapshot().progress });
  assert.deepEqual(model.matches.map((match) => match.id), [9, 8, 7]);
});

test("entries without a row on the page are reported", () => {
  const model = new StandingsModel(snapshot());
  assert.equal(model.apply({ type: "entries", seq: 5, rows: [row(3, 0)], order: [1, 2, 3] }), true);
  assert.equal(model.apply({ type: "entries", seq: 6, rows: [row(3, 0)], order: [1, 2, 3] }), false);
});

test("before two entries have met, there is no result", () => {
  const model = new StandingsModel({ ...snapshot(), head_to_head: {} });
  assert.equal(model.result(1, 2), "");
});

test("events show names in the page's language", () => {
  const house = { ...row(1, 2), name: "Corners", names: { "zh-hans": "抢角" } };
  const match = { ...line(9, "running"), names: ["Corners", "Mia"], translations: [house.names, {}], name: "Final", name_translations: { "zh-hans": "决赛" } };
  for (const [language, name, final] of [["zh-hans", "抢角", "决赛"], ["en", "Corners", "Final"]]) {
    const model = new StandingsModel(snapshot(), language);
    model.apply({ type: "result", seq: 5, rows: [house, row(2, 1)], match });
    assert.deepEqual([...model.rows.values()].map((one) => one.name), [name, "bot 2"]);
    assert.deepEqual(model.matches.find((one) => one.id === 9).names, [name, "Mia"]);
    assert.equal(model.matches.find((one) => one.id === 9).name, final);
  }
});
