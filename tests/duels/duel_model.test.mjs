import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, choice, phase } from "../../static/js/duels/model.js";

const model = (status, toMove, turns = 3) => ({
  match: { status },
  isOpen: ["queued", "running"].includes(status),
  last: turns - 1,
  turns: Array.from({ length: turns }, () => ({ view: { to_move: toMove, legal: ["D3", "C4"] } })),
});

test("a game waits for its place, for me, for the bot, or for nothing", () => {
  assert.equal(phase(model("queued", "X"), "X"), "waiting");
  assert.equal(phase(model("running", "X", 0), "X"), "waiting");
  assert.equal(phase(model("running", "X"), "X"), "mine");
  assert.equal(phase(model("running", "O"), "X"), "theirs");
  assert.equal(phase(model("finished", null), "X"), "over");
});

test("the next turn follows on the newest", () => {
  assert.deepEqual(choice(model("running", "X")), { turn: 3, legal: ["D3", "C4"] });
  assert.deepEqual(choice(model("running", "X", 0)), { turn: 0, legal: [] });
});

test("a second click plays nothing", () => {
  const outbox = new Outbox();
  assert.ok(outbox.put(3, "D3"));
  assert.ok(!outbox.put(3, "C4"));
  assert.deepEqual(outbox.pending, { turn: 3, move: "D3" });
});

test("a refused move leaves room for another one", () => {
  const outbox = new Outbox();
  outbox.put(3, "D3");
  outbox.refused(2);
  assert.ok(outbox.pending);
  outbox.refused(3);
  assert.equal(outbox.pending, null);
  assert.ok(outbox.put(3, "C4"));
});

test("a move is under way until the match shows it", () => {
  const outbox = new Outbox();
  outbox.put(3, "D3");
  outbox.arrived(3);
  assert.ok(outbox.pending);
  outbox.arrived(4);
  assert.equal(outbox.pending, null);
});
