import assert from "node:assert/strict";
import { test } from "node:test";

import { MatchModel } from "#matches/match-model.js";
import { playersOf, previousSeats } from "#studio/seating.js";

const own = { name: "Draft", version: null, bot_url: "" };
const corners = { name: "Corners", version: 1, bot_url: "/bots/4/" };
const steady = { name: "Steady", version: 1, bot_url: "/bots/5/" };
const seated = (...players) => players.map((player, index) => ({ index, ...player }));

test("each player is found in its seat of the previous game", () => {
  const before = playersOf(seated(own, corners, steady));
  assert.deepEqual(previousSeats(before, playersOf(seated(corners, own, steady))), [1, 0, 2]);
  assert.deepEqual(previousSeats(before, before), [0, 1, 2]);
});

test("an opponent in several seats fills each of them once", () => {
  const before = playersOf(seated(own, corners, corners));
  assert.deepEqual(previousSeats(before, playersOf(seated(corners, corners, own))), [1, 2, 0]);
});

test("the reader moves with their bot to its seat in the next game", () => {
  const match = { id: 0, game: "reversi", status: "running", settings: {}, url: "" };
  const seats = seated({ ...own, name: "你的机器人" }, { ...corners, name: "占角" });
  const model = new MatchModel({ seq: 1, match, seats, turns: [], outcome: null, reader: { seat: 0, is: "bot" } });
  model.apply({ seq: 2, type: "started", match, seats: seated(corners, own), reader: { seat: 1, is: "bot" } });
  assert.deepEqual(model.reader, { seat: 1, is: "bot" });
  assert.equal(model.seats[0].name, "占角"); // as rendered by the server
  model.apply({ seq: 3, type: "started", match, seats: seated(corners, own) });
  assert.deepEqual(model.reader, { seat: 1, is: "bot" });
});
