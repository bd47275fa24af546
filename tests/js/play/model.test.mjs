import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, hasMoved, isSame, plainLabel, readMove, turnState } from "#play/model.js";

/** @returns {any} */
const model = (status, toMove, turns = 3) => ({
  match: { status },
  isOpen: ["queued", "running"].includes(status),
  last: turns - 1,
  turns: Array.from({ length: turns }, () => ({ view: { to_move: toMove, legal: ["D3", "C4"] } })),
});

const X = (view) => (view.to_move === "X" ? view.legal : null);

test("a game waits for a slot, for the person, for the bot, or for nothing", () => {
  assert.equal(turnState(model("queued", "X"), X).phase, "waiting");
  assert.equal(turnState(model("running", "X", 0), X).phase, "waiting");
  assert.equal(turnState(model("running", "X"), X).phase, "mine");
  assert.equal(turnState(model("running", "O"), X).phase, "theirs");
  assert.equal(turnState(model("finished", null), X).phase, "over");
});

test("nobody moves while a worker replays the turns played before", () => {
  assert.equal(turnState(model("running", "X", 3), X, 4).phase, "waiting");
  assert.equal(turnState(model("running", "X", 3), X, 3).phase, "waiting");
  assert.equal(turnState(model("running", "X", 3), X, 2).phase, "mine");
});

test("the next turn follows the newest one", () => {
  assert.deepEqual(turnState(model("running", "X"), X), { phase: "mine", turn: 3, legal: ["D3", "C4"] });
  assert.deepEqual(turnState(model("running", "O"), X), { phase: "theirs", turn: 3, legal: [] });
  assert.equal(turnState(model("running", "X", 0), X).turn, 0);
});

test("only a move of one's own can be taken back", () => {
  const played = (...moves) => /** @type {any} */ ({ turns: [{ moves: [] }, ...moves.map((move) => ({ moves: [move] }))] });
  assert.ok(!hasMoved(played(), 1));
  assert.ok(!hasMoved(played({ seat: 0, move: "D3" }, { seat: 1, move: null }), 1));
  assert.ok(hasMoved(played({ seat: 0, move: "D3" }, { seat: 1, move: "C3" }), 1));
});

test("a second click has no effect", () => {
  const outbox = new Outbox();
  assert.ok(outbox.put(3, "D3"));
  assert.ok(!outbox.put(3, "C4"));
  assert.deepEqual(outbox.pending, { turn: 3, move: "D3" });
});

test("after a refused move, another one can be sent", () => {
  const outbox = new Outbox();
  outbox.put(3, "D3");
  outbox.refused(2);
  assert.ok(outbox.pending);
  outbox.refused(3);
  assert.equal(outbox.pending, null);
  assert.ok(outbox.put(3, "C4"));
});

const SEAT = 0;
/** @returns {any} */
const after = (status, ...moves) => {
  const turns = moves.map((move) => ({ moves: move === null ? [] : [{ seat: SEAT, move }], view: {} }));
  return { isOpen: status === "running", last: turns.length - 1, turns };
};

test("a move is pending until the match shows it", () => {
  const outbox = new Outbox();
  outbox.put(1, "D3");
  assert.equal(outbox.arrived(after("running", null), SEAT), null);
  assert.ok(outbox.pending);
  assert.equal(outbox.arrived(after("running", null, "D3"), SEAT), null, "it counted");
  assert.equal(outbox.pending, null);
});

test("a move that did not count is returned", () => {
  for (const [played, name] of [["C4", "another page was faster"], [undefined, "the clock ran out"]]) {
    const outbox = new Outbox();
    outbox.put(1, "D3");
    assert.deepEqual(outbox.arrived(after("running", null, played), SEAT), { turn: 1, move: "D3" }, name);
    assert.equal(outbox.arrived(after("running", null, played), SEAT), null, "once");
  }
  const outbox = new Outbox();
  outbox.put(1, "D3");
  assert.deepEqual(outbox.arrived(after("void", null), SEAT), { turn: 1, move: "D3" }, "the match ended before the turn");
});

test("a move is JSON, or else the text as typed", () => {
  assert.equal(readMove('"D3"'), "D3");
  assert.equal(readMove(" D3 "), "D3");
  assert.equal(readMove("12.50"), 12.5);
  assert.deepEqual(readMove("[1, 2]"), [1, 2]);
  assert.equal(plainLabel("D3"), "D3");
  assert.equal(plainLabel([1, 2]), "[1,2]");
});

test("moves are compared as JSON", () => {
  assert.ok(isSame([1, "a"], [1, "a"]));
  assert.ok(!isSame([1], [1, 2]));
  assert.ok(!isSame([1], 1));
  assert.ok(!isSame("1", 1));
});

test("the move as parsed by the server is the one that counts", () => {
  const outbox = new Outbox();
  outbox.put(1, "e6");
  outbox.accepted(2, "A1");
  outbox.accepted(1, "E6");
  assert.equal(outbox.arrived(after("running", null, "E6"), SEAT), null);
});

test("a seat may be to move although its moves are not listed", () => {
  assert.deepEqual(turnState(model("running", "X"), () => []), { phase: "mine", turn: 3, legal: [] });
});
