// A room's page through whatever happens to its connection: it shows what a page shows that missed nothing.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { connect } from "#live/connection.js";
import { RoomModel } from "../../../../arena/games/golden_point/rooms/static/rooms/model.js";
import { FakeSocket, openPage, settle } from "../../../js/live/scripted_server.mjs";

const DAY = "2026-03-04";
const PICKS = [
  [[0, 2, 20], [1, -2, 90]],
  [[0, -2, 99], [1, 2, 15]],
  [[0, 3, 12], [1, 0, 20], [2, -2, 70]],
  [[1, 3, 11], [2, -2, 80], [0, 0, 30]],
  [[2, 2, 9], [0, -2, 44]],
];
const NAMES = { 0: "Ada", 1: "Bob", 2: "Cy" };

const roomAfter = (round) => ({ state: "running", finished_rounds: round, round: round + 1, round_id: `r${round}`, ends_at: 0, submitted: 0, players: 3 });
const closedRound = (round) => ({ round, golden: round * 2, day: DAY, picks: PICKS[round - 1], nearest: [PICKS[round - 1][0][0]], farthest: [] });
const event = (round) => ({ type: "closed", seq: round, at: round, names: NAMES, closed: closedRound(round), room: roomAfter(round) });

/** What the server answers once so many rounds have closed. */
function snapshot(rounds, since = 0) {
  const scores = new Map();
  for (const [player, gain] of PICKS.slice(0, rounds).flat()) scores.set(player, (scores.get(player) ?? 0) + gain);
  const missing = Array.from({ length: rounds - since }, (_, place) => closedRound(rounds - place));
  return { seq: rounds, at: rounds, room: roomAfter(rounds), rounds: missing, names: NAMES, day: DAY, scores: [...scores] };
}

let closed; // rounds on the server

function open() {
  const model = new RoomModel(snapshot(0));
  connect({
    path: "/ws/rooms/2",
    after: 0,
    snapshotUrl: () => `/rooms/2/snapshot.json?since=${model.newest}`,
    onEvent: (told) => model.apply(told),
    onSnapshot: (told) => model.reset(told),
  });
  return model;
}

const shown = (model) => ({ rounds: model.rounds, standings: model.standings(), room: model.room });

function undisturbed() {
  const model = new RoomModel(snapshot(0));
  for (let round = 1; round <= closed; round += 1) model.apply(event(round));
  return shown(model);
}

beforeEach(() => {
  closed = 0;
  openPage("https://arena.example/rooms/2/", (url) => snapshot(closed, Number(new URL(url, "https://arena.example").searchParams.get("since"))));
});

test("a lost message is mended by a snapshot of what is missing", async () => {
  const model = open();
  FakeSocket.latest().say({ type: "ping" }, event(1));
  closed = 3;
  FakeSocket.latest().say(event(3));
  await settle();
  assert.match(FakeSocket.latest().address, /after=3$/);
  assert.deepEqual(shown(model), undisturbed());
});

test("what comes twice counts once", () => {
  const model = open();
  closed = 2;
  FakeSocket.latest().say(event(1), event(2), event(2), event(1));
  assert.deepEqual(shown(model), undisturbed());
});

test("a machine that slept goes on from the round that it had", () => {
  const model = open();
  FakeSocket.latest().say({ type: "ping" }, event(1), event(2));
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  mock.timers.setTime(1_000_000 + 600_000);
  document.visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  assert.match(FakeSocket.latest().address, /after=2$/);
  closed = 5;
  FakeSocket.latest().say({ type: "ping" }, event(3), event(4), event(5));
  assert.deepEqual(shown(model), undisturbed());
});

test("a broker that lost its memory leads to a snapshot", async () => {
  const model = open();
  FakeSocket.latest().say({ type: "ping" }, event(1));
  closed = 4;
  FakeSocket.latest().say({ type: "resync" });
  await settle();
  closed = 5;
  FakeSocket.latest().say({ type: "ping" }, event(5));
  assert.deepEqual(shown(model), undisturbed());
});

test("without sockets the page follows by snapshots, and goes on by events once there are some", async () => {
  const model = open();
  for (let second = 0; second < 9; second += 1) {
    if (!FakeSocket.latest().closed) FakeSocket.latest().end(1006);
    closed = Math.min(4, second);
    mock.timers.tick(1000);
    await settle();
  }
  assert.deepEqual(shown(model), undisturbed());
  closed = 5;
  FakeSocket.latest().say({ type: "ping" }, event(4), event(5));
  assert.deepEqual(shown(model), undisturbed());
});
