import assert from "node:assert/strict";
import { test } from "node:test";

import { MatchModel } from "#matches/match-model.js";

const turn = (number) => ({ number, moves: [], view: { at: number } });
const snapshot = (turns) => ({
  seq: 1_000_000 + turns,
  match: { id: 1, game: "reversi", status: "running", settings: {}, url: "/matches/1/" },
  seats: [],
  turns: Array.from({ length: turns }, (_, number) => turn(number)),
  outcome: null,
});

test("turns continue where the snapshot ends", () => {
  const model = new MatchModel(snapshot(2));
  assert.equal(model.apply({ type: "turn", seq: 1_000_003, turn: turn(2) }), "turn");
  assert.equal(model.last, 2);
  assert.equal(model.seq, 1_000_003);
});

test("a known turn changes nothing", () => {
  const model = new MatchModel(snapshot(3));
  assert.equal(model.apply({ type: "turn", seq: 1_000_003, turn: turn(1) }), null);
  assert.equal(model.last, 2);
});

test("a new attempt starts without turns", () => {
  const model = new MatchModel(snapshot(5));
  model.apply({ type: "requeued", seq: 1_999_999 });
  assert.equal(model.match.status, "queued");
  const match = { ...model.match, status: "running" };
  assert.equal(model.apply({ type: "started", seq: 2_000_000, match, seats: [{ index: 0 }] }), "restart");
  assert.equal(model.last, -1);
  assert.equal(model.apply({ type: "turn", seq: 2_000_001, turn: turn(0) }), "turn");
});

test("the end closes the match with its outcome", () => {
  const model = new MatchModel(snapshot(2));
  const outcome = { points: [1, 0], ranks: [1, 2], termination: "completed", winner: 0 };
  assert.ok(model.isOpen);
  assert.equal(model.apply({ type: "finished", seq: 1_000_010, outcome, seats: [{ index: 0 }] }), "end");
  assert.ok(!model.isOpen);
  assert.deepEqual(model.outcome, outcome);
});

test("names stay as the server rendered them", () => {
  const seat = /** @type {any} */ ({ index: 0, name: "棋社棋手", bot_url: "/bots/3/" });
  const model = new MatchModel({ ...snapshot(2), seats: [seat] });
  const started = { type: "started", seq: 2_000_000, match: model.match, seats: [{ ...seat, name: "Club player" }] };
  model.apply(started);
  assert.equal(model.seats[0].name, "棋社棋手");
  model.apply({ ...started, seats: [{ index: 0, name: "Other", bot_url: "/bots/4/" }] });
  assert.equal(model.seats[0].name, "Other");
});

test("a draft without a page keeps its name in another seat", () => {
  /** @type {any[]} */
  const [own, house] = [{ index: 0, name: "我的草稿", bot_url: "", version: null }, { index: 1, name: "棋社棋手", bot_url: "/bots/3/", version: 1 }];
  const model = new MatchModel({ ...snapshot(2), seats: [own, house] });
  const seats = [{ ...house, index: 0, name: "Club player" }, { ...own, index: 1, name: "My draft" }];
  model.apply({ type: "started", seq: 2_000_000, match: model.match, seats });
  assert.deepEqual(model.seats.map(({ name }) => name), ["棋社棋手", "我的草稿"]);
});

test("void and cancelled matches are closed without an outcome", () => {
  for (const type of ["void", "cancelled"]) {
    const model = new MatchModel(snapshot(2));
    assert.equal(model.apply({ type, seq: 1_999_999 }), "status");
    assert.equal(model.match.status, type);
    assert.ok(!model.isOpen);
  }
});

test("an event of an unknown type is ignored", () => {
  const model = new MatchModel(snapshot(2));
  assert.equal(model.apply({ type: "applause", seq: 1_000_003 }), null);
});

test("a queued match is followed too", () => {
  const model = new MatchModel({ ...snapshot(0), match: { ...snapshot(0).match, status: "planned" } });
  assert.ok(model.isOpen);
});
