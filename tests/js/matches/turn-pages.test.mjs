import assert from "node:assert/strict";
import { test } from "node:test";

import { MatchModel } from "#matches/match-model.js";
import { pageOfTurns } from "#matches/moves-model.js";
import { TurnPages } from "#matches/turn-pages.js";

const turn = (number) => ({ number, moves: number ? [{ seat: number % 2, seconds: 1 }] : [], view: { at: number } });
const turns = (first, last) => Array.from({ length: last - first + 1 }, (_, place) => turn(first + place));
/** @type {any} */
const snapshot = {
  seq: 1_000_101,
  match: { id: 1, game: "any", status: "running", settings: {}, url: "/matches/1/" },
  seats: [],
  turns: turns(90, 99),
  first: 90,
  spent: [44, 45],
  pages: [0, 30, 60, 90],
  turns_url: "/matches/1/turns/",
  of: "v1",
  outcome: null,
};
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A model with fake pages; `requested` collects the requested URLs. */
function paged({ fails = 0 } = {}) {
  const requested = [];
  const model = new MatchModel(snapshot);
  let failures = fails;
  model.pages.fetchPage = async (address) => {
    requested.push(address);
    if (failures-- > 0) return { state: "again", afterMs: 1 };
    const first = Number(/(\d+)\.json/.exec(address)[1]);
    return { state: "done", body: { first, turns: turns(first, first + 29), spent: [first / 2, first / 2] } };
  };
  return { model, requested };
}

test("a long match has all indices, but only the last turns", () => {
  const { model } = paged();
  assert.equal(model.last, 99);
  assert.equal(model.turns[99].number, 99);
  assert.equal(model.turns[5], undefined);
  assert.equal(model.apply({ type: "turn", seq: 1_000_102, turn: turn(100) }), "turn");
  assert.equal(model.last, 100);
});

test("requested turns are fetched by the page, each page once", async () => {
  const { model, requested } = paged();
  let notified = 0;
  model.onTurns = () => (notified += 1);
  model.want(35, 36);
  model.want(40);
  model.want(95);
  await settled();
  assert.deepEqual(requested, ["/matches/1/turns/30.json?of=v1"]);
  assert.deepEqual(model.turns[35], turn(35));
  assert.equal(model.turns[29], undefined);
  assert.equal(notified, 1);
  model.want(30, 59);
  await settled();
  assert.equal(requested.length, 1);
});

test("a page that fails to load may be requested again", async () => {
  const { model, requested } = paged({ fails: 1 });
  model.want(3);
  await settled();
  assert.equal(model.turns[3], undefined);
  model.want(3);
  await settled();
  assert.equal(requested.length, 2);
  assert.equal(model.turns[3].number, 3);
});

test("the newest request is served first, and few requests run at a time", async () => {
  const requested = [];
  const waiting = [];
  const fetchPage = (address) => {
    requested.push(Number(/(\d+)\.json/.exec(address)[1]));
    return new Promise((resolve) => waiting.push(() => resolve({ state: "done", body: { first: 0, turns: [], spent: [] } })));
  };
  const pages = new TurnPages(/** @type {any} */ ({ turns_url: "/t/" }), () => {}, fetchPage);
  for (const number of [1, 2, 3, 4, 5]) pages.ask(number);
  assert.deepEqual(requested, [1, 2, 3]);
  waiting[0]();
  await settled();
  assert.deepEqual(requested, [1, 2, 3, 5]);
});

test("a seat's used time is known if its turns or a page's total are loaded", async () => {
  const { model } = paged();
  assert.equal(model.used(0, 91), 45); // 44 before turn 90, plus turn 90 itself
  assert.equal(model.used(1, 91), 46);
  model.want(60);
  await settled();
  assert.equal(model.used(0, 62), 32);
});

test("a page of moves of a long match reports the turns that it needs", () => {
  const { model } = paged();
  const { lines, pages, first, last } = pageOfTurns(model.turns, 1, 1);
  assert.deepEqual([pages, first, last], [2, 50, 99]);
  assert.deepEqual(lines.map((line) => line.turn), [99, 97, 95, 93, 91]);
});

test("a new attempt at a long match is an ordinary match", () => {
  const { model } = paged();
  model.apply({ type: "started", seq: 2_000_000, match: model.match, seats: [] });
  assert.equal(model.last, -1);
  assert.equal(model.pages, null);
});
