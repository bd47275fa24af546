import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { connect } from "#live/connection.js";
import { RoomModel, removalOf, shouldRequestMembership } from "../../../../arena/games/golden_point/rooms/static/rooms/model.js";
import { FakeSocket, openPage, settle } from "../../../js/live/scripted_server.mjs";

const NAMES = { 0: "Ada", 1: "Bob", 2: "Cy" };
/** @returns {any} */
const room = (more = {}) => ({ state: "running", finished_rounds: 0, round: 1, round_id: "r", ends_at: 0, submitted: 0, players: 2, ...more });
const closed = (round, picks, { day = "2026-03-04", nearest = [picks[0][0]], farthest = [] } = {}) => ({
  round,
  golden: round,
  day,
  picks,
  nearest,
  farthest,
});
/** @returns {any} */
const snapshot = (rounds, scores, more = {}) => ({ seq: 1, at: 0, room: room(), rounds, names: NAMES, day: "2026-03-04", scores, ...more });
/** @param {any} round @param {Record<number, string>} [names] @returns {any} */
const event = (round, names = NAMES) => ({ type: "closed", seq: 2, room: room({ round: round.round + 1 }), closed: round, names });

test("absent players keep their seats, and rounds are indexed by seat", () => {
  const model = new RoomModel(snapshot([closed(2, [[1, 2, 20]]), closed(1, [[2, -2, 90, 91], [1, 2, 7, 8]])], [[1, 4], [2, -2]]));
  assert.deepEqual(model.seats.map((seat) => seat.name), ["Cy", "Bob"]);
  assert.deepEqual(model.rounds[1].numbers, [[90, 91], [7, 8]]);
  assert.deepEqual(model.rounds[2].numbers, [null, [20]]);
  assert.deepEqual(model.rounds[2].nearest, [1]);
  assert.equal(model.lastGain(1), 2);
  assert.equal(model.lastGain(2), null);
});

test("the arena's players are named in the reader's language", () => {
  const translations = { Bob: { "zh-hans": "鲍勃" } };
  const podium = { places: [[1, "Bob", 4], [2, "Ada", 1]], more: 0, persons: [], more_persons: 0, players: 2 };
  const dropped = [[7, 3, "Bob", "crash"]];
  const sent = snapshot([closed(1, [[0, 1, 20], [1, 4, 30]])], [[0, 1], [1, 4]], { room: room({ translations, podium, dropped }) });
  const names = (model) => [
    model.standings().map(({ name }) => name),
    model.seats.map(({ name }) => name),
    model.room.podium.places.map(([, name]) => name),
    model.room.dropped[0][2],
  ];
  assert.deepEqual(names(new RoomModel(sent, "zh-hans")), [["鲍勃", "Ada"], ["Ada", "鲍勃"], ["鲍勃", "Ada"], "鲍勃"]);
  assert.deepEqual(names(new RoomModel(sent, "en")), [["Bob", "Ada"], ["Ada", "Bob"], ["Bob", "Ada"], "Bob"]);
});

test("a closed round counts once", () => {
  const model = new RoomModel(snapshot([], []));
  const round = event(closed(1, [[0, 2, 5], [1, -2, 50]]));
  assert.equal(model.apply(round), true);
  assert.equal(model.apply(round), false);
  assert.deepEqual(model.standings().map(({ name, score }) => [name, score]), [["Ada", 2], ["Bob", -2]]);
});

test("the standings show how far each player moved in the last round", () => {
  const model = new RoomModel(snapshot([], []));
  model.apply(event(closed(1, [[0, 3, 5], [1, 0, 50], [2, -2, 99]])));
  assert.deepEqual(model.standings().map(({ moved }) => moved), [null, null, null]);
  model.apply(event(closed(2, [[0, -2, 5], [1, 0, 50], [2, 6, 99]])));
  assert.deepEqual(
    model.standings().map(({ name, rank, moved, gain }) => [name, rank, moved, gain]),
    [["Cy", 1, 2, 6], ["Ada", 2, -1, -2], ["Bob", 3, -1, 0]],
  );
});

test("a page opened later shows the same moves", () => {
  const model = new RoomModel(snapshot([closed(2, [[0, -2, 5], [2, 6, 99]])], [[0, 1], [1, 0], [2, 4]]));
  assert.deepEqual(model.standings().map(({ name, moved }) => [name, moved]), [["Cy", 2], ["Ada", -1], ["Bob", -1]]);
});

test("tied players share the better rank", () => {
  const model = new RoomModel(snapshot([], [[0, 5], [1, 5], [2, 1]]));
  assert.deepEqual(model.standings().map(({ rank, shared }) => [rank, shared]), [[1, 1], [1, 1], [3, 0]]);
});

test("scores restart with the first round of a day", () => {
  const model = new RoomModel(snapshot([], [[0, 5]]));
  model.apply(event(closed(7, [[1, 1, 5]], { day: "2026-03-05" })));
  assert.deepEqual(model.standings().map(({ name, score, moved }) => [name, score, moved]), [["Bob", 1, null]]);
});

test("a snapshot with the missing rounds extends the page's rounds", () => {
  const model = new RoomModel(snapshot([closed(1, [[0, 0, 5]])], [[0, 0]]));
  model.reset(snapshot([closed(3, [[0, 0, 5]]), closed(2, [[0, 0, 5]])], [[0, 0]]));
  assert.deepEqual(model.rounds.map((round) => round.round), [0, 1, 2, 3]);
});

test("after a gap, the page starts over from the snapshot", () => {
  const model = new RoomModel(snapshot([closed(1, [[0, 0, 5]])], [[0, 0]]));
  model.reset(snapshot([closed(9, [[0, 0, 5]]), closed(8, [[0, 0, 5]])], [[0, 0]]));
  assert.deepEqual([model.oldest, model.newest], [8, 9]);
  model.addEarlier({ rounds: [closed(7, [[2, 0, 5]]), closed(5, [[0, 0, 5]])], names: NAMES });
  assert.equal(model.oldest, 7);
  assert.deepEqual(model.seats.map((seat) => seat.name), ["Ada", "Cy"]);
});

test("a player's new name appears everywhere", () => {
  const model = new RoomModel(snapshot([closed(1, [[0, 0, 5]])], [[0, 0]]));
  model.apply(event(closed(2, [[0, 0, 5]]), { 0: "Lovelace" }));
  assert.deepEqual(model.seats.map((seat) => seat.name), ["Lovelace"]);
});

test("a name set by the owner appears immediately, not when the round closes", () => {
  const model = new RoomModel(snapshot([closed(1, [[0, 2, 20], [1, 0, 30]])], [[0, 2], [1, 0]]));
  model.apply({ type: "room", seq: 2, room: room({ round: 2, renamed: { 1: "Polite" } }) });
  assert.deepEqual(model.standings().map(({ name }) => name), ["Ada", "Polite"]);
  assert.deepEqual(model.seats.map(({ name }) => name), ["Ada", "Polite"]);
});

test("a removed player keeps the points, has no rank, and does not count as a player", () => {
  const model = new RoomModel(snapshot([closed(1, [[0, 3, 5], [1, 0, 50], [2, -2, 99]])], [[0, 3], [1, 0], [2, -2]]));
  assert.deepEqual(model.rankOf(2), { rank: 3, shared: 0, players: 3, score: -2 });
  model.room = room({ removed: [0] });
  assert.deepEqual(model.standings().map(({ name, rank, isRemoved }) => [name, rank, isRemoved]), [["Bob", 1, false], ["Cy", 2, false], ["Ada", 0, true]]);
  assert.deepEqual(model.rankOf(2), { rank: 2, shared: 0, players: 2, score: -2 });
  assert.equal(model.rankOf(0), null);
  assert.equal(model.rankOf(7), null);
});

const DAY = "2026-03-04";
const PICKS = [
  [[0, 2, 20], [1, -2, 90]],
  [[0, -2, 99], [1, 2, 15]],
  [[0, 3, 12], [1, 0, 20], [2, -2, 70]],
  [[1, 3, 11], [2, -2, 80], [0, 0, 30]],
  [[2, 2, 9], [0, -2, 44]],
];

/** @returns {any} */
const roomAfter = (round) => ({ state: "running", finished_rounds: round, round: round + 1, round_id: `r${round}`, ends_at: 0, submitted: 0, players: 3 });
const closedRound = (round) => ({ round, golden: round * 2, day: DAY, picks: PICKS[round - 1], nearest: [PICKS[round - 1][0][0]], farthest: [] });
const closing = (round) => ({ type: "closed", seq: round, at: round, names: NAMES, closed: closedRound(round), room: roomAfter(round) });

/** The server's snapshot after this many closed rounds. */
/** @returns {any} */
function siteSnapshot(rounds, since = 0) {
  const scores = new Map();
  for (const [player, gain] of PICKS.slice(0, rounds).flat()) scores.set(player, (scores.get(player) ?? 0) + gain);
  const missing = Array.from({ length: rounds - since }, (_, place) => closedRound(rounds - place));
  return { seq: rounds, at: rounds, room: roomAfter(rounds), rounds: missing, names: NAMES, day: DAY, scores: [...scores] };
}

describe("whatever happens to its connection, a room shows what a page shows that missed nothing", () => {
  let onServer; // number of closed rounds on the server

  function open() {
    const model = new RoomModel(siteSnapshot(0));
    connect({
      path: "/ws/rooms/2",
      after: 0,
      snapshotUrl: () => `/rooms/2/snapshot.json?since=${model.newest}`,
      onEvent: (event) => model.apply(event),
      onSnapshot: (snapshot) => model.reset(snapshot),
    });
    return model;
  }

  const shown = (model) => ({ rounds: model.rounds, standings: model.standings(), room: model.room });

  function undisturbed() {
    const model = new RoomModel(siteSnapshot(0));
    for (let round = 1; round <= onServer; round += 1) model.apply(closing(round));
    return shown(model);
  }

  beforeEach(() => {
    onServer = 0;
    openPage("https://arena.example/rooms/2/", (url) => siteSnapshot(onServer, Number(new URL(url, "https://arena.example").searchParams.get("since"))));
  });

  test("after a lost message, a snapshot supplies the missing rounds", async () => {
    const model = open();
    FakeSocket.latest().say({ type: "ping" }, closing(1));
    onServer = 3;
    FakeSocket.latest().say(closing(3));
    await settle();
    assert.match(FakeSocket.latest().address, /after=3$/);
    assert.deepEqual(shown(model), undisturbed());
  });

  test("an event that arrives twice counts once", () => {
    const model = open();
    onServer = 2;
    FakeSocket.latest().say(closing(1), closing(2), closing(2), closing(1));
    assert.deepEqual(shown(model), undisturbed());
  });

  test("after sleep, the page resumes from its last round", () => {
    const model = open();
    FakeSocket.latest().say({ type: "ping" }, closing(1), closing(2));
    /** @type {any} */ (document).visibilityState = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    mock.timers.setTime(1_000_000 + 600_000);
    /** @type {any} */ (document).visibilityState = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    assert.match(FakeSocket.latest().address, /after=2$/);
    onServer = 5;
    FakeSocket.latest().say({ type: "ping" }, closing(3), closing(4), closing(5));
    assert.deepEqual(shown(model), undisturbed());
  });

  test("if the broker loses its data, the page fetches a snapshot", async () => {
    const model = open();
    FakeSocket.latest().say({ type: "ping" }, closing(1));
    onServer = 4;
    FakeSocket.latest().say({ type: "resync" });
    await settle();
    onServer = 5;
    FakeSocket.latest().say({ type: "ping" }, closing(5));
    assert.deepEqual(shown(model), undisturbed());
  });

  test("without sockets, the page polls snapshots, and returns to events once a socket opens", async () => {
    const model = open();
    for (let second = 0; second < 9; second += 1) {
      if (!FakeSocket.latest().closed) FakeSocket.latest().end(1006);
      onServer = Math.min(4, second);
      mock.timers.tick(1000);
      await settle();
    }
    assert.deepEqual(shown(model), undisturbed());
    onServer = 5;
    FakeSocket.latest().say({ type: "ping" }, closing(4), closing(5));
    assert.deepEqual(shown(model), undisturbed());
  });
});

test("a removed player is informed immediately; a page that does not know its own player asks once", () => {
  const reader = { player: 1, lobbyName: "", isListed: false, removals: 0 };
  assert.equal(removalOf({ removed: [0, 1], lobby: [] }, reader), "yes");
  assert.equal(removalOf({ removed: [0], lobby: [] }, reader), "no");
  const unknown = { ...reader, player: null };
  assert.equal(removalOf({ removed: [0], lobby: [] }, unknown), "ask");
  assert.equal(removalOf({ removed: [0], lobby: [] }, { ...unknown, removals: 1 }), "no");
  const waiting = { ...unknown, lobbyName: "Ada", isListed: true };
  assert.equal(removalOf({ removed: [], lobby: ["Ada", "Bob"] }, waiting), "no");
  assert.equal(removalOf({ removed: [], lobby: ["Bob"] }, waiting), "ask");
  assert.equal(removalOf({ removed: [], lobby: ["Bob"] }, { ...waiting, isListed: false }), "no");
});

test("a reader who submits elsewhere asks for their player once per new player, until it is known", () => {
  const model = new RoomModel(snapshot([], []));
  const reader = { player: null, known: model.playerCount };
  assert.equal(shouldRequestMembership(model.playerCount, reader), false);
  model.apply(event(closed(1, [[0, 2, 5], [1, -2, 50]])));
  assert.equal(shouldRequestMembership(model.playerCount, reader), true);
  reader.known = model.playerCount;
  model.apply(event(closed(2, [[0, 2, 5], [1, -2, 50]])));
  assert.equal(shouldRequestMembership(model.playerCount, reader), false);
  model.apply(event(closed(3, [[2, 2, 5], [1, -2, 50]])));
  assert.equal(shouldRequestMembership(model.playerCount, reader), true);
  assert.equal(shouldRequestMembership(model.playerCount, { ...reader, player: 2 }), false);
});
