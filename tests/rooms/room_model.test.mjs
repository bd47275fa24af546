import assert from "node:assert/strict";
import test from "node:test";
import { RoomModel } from "../../static/js/room-model.js";

const played = (index, ...numbers) => ({
  roundId: `r${index}`,
  index,
  goldenNumber: index,
  userNumbers: numbers.map(([userId, masterNumber, slaveNumber, score]) => ({ userId, masterNumber, slaveNumber, score })),
});
const NAMES = { a: "Ada", b: "Bob" };

test("rounds come once and in order, whatever the order of the answer", () => {
  const model = new RoomModel();
  assert.equal(model.add({ rounds: [played(2, ["a", 5, 0, 2]), played(1, ["a", 6, 0, 0])], nickNames: NAMES }), true);
  assert.equal(model.add({ rounds: [played(2, ["a", 5, 0, 2])], nickNames: NAMES }), false);
  assert.deepEqual(model.rounds.map((round) => round.round), [0, 1, 2]);
});

test("a player keeps its place and its score while it is away", () => {
  const model = new RoomModel();
  model.add({ rounds: [played(1, ["a", 5, 7, 2], ["b", 50, 60, -2])], nickNames: NAMES });
  model.add({ rounds: [played(2, ["b", 1, 2, 2])], nickNames: NAMES });
  assert.deepEqual(model.seats, [{ name: "Ada" }, { name: "Bob" }]);
  assert.deepEqual(model.rounds[1].numbers, [[5, 7], [50, 60]]);
  assert.deepEqual(model.rounds[2].numbers, [null, [1, 2]]);
  assert.deepEqual(model.rounds[2].scores, [2, 0]);
  assert.equal(model.lastGain("b"), 2);
  assert.equal(model.lastGain("a"), null);
});
