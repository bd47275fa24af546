// The client side of a live topic, with a scripted server and clock.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { connect } from "#live/connection.js";
import { FakeSocket, openPage, settle } from "./scripted_server.mjs";

let snapshots;
let page;

beforeEach(() => {
  snapshots = [];
  openPage("https://arena.example/matches/1/", () => snapshots.shift());
  page = { events: [], snapshots: [], states: [] };
});

function start() {
  return connect({
    path: "/ws/matches/1",
    after: 5,
    snapshotUrl: "/matches/1/snapshot.json",
    onEvent: (event) => page.events.push(event.seq),
    onSnapshot: (snapshot) => page.snapshots.push(snapshot.seq),
    onState: (state) => page.states.push(state),
  });
}

test("it connects from the sequence number of the page, and is live after the first message", () => {
  start();
  assert.equal(FakeSocket.latest().address, "wss://arena.example/ws/matches/1?after=5");
  FakeSocket.latest().say({ type: "ping" });
  assert.deepEqual(page.states, ["connecting", "live"]);
});

test("events are delivered once and in order", () => {
  start();
  FakeSocket.latest().say({ seq: 6 }, { seq: 7 }, { seq: 7 }, { seq: 3 }, { seq: 8 });
  assert.deepEqual(page.events, [6, 7, 8]);
});

test("after a gap, it loads a snapshot and continues from there", async () => {
  start();
  snapshots.push({ seq: 9 });
  const first = FakeSocket.latest();
  first.say({ seq: 6 }, { seq: 8 });
  await settle();
  assert.ok(first.closed);
  assert.deepEqual(page.snapshots, [9]);
  assert.match(FakeSocket.latest().address, /after=9$/);
  FakeSocket.latest().say({ seq: 10 });
  assert.deepEqual(page.events, [6, 10]);
});

test("a resync frame has the same effect", async () => {
  start();
  snapshots.push({ seq: 20 });
  FakeSocket.latest().say({ type: "resync" });
  await settle();
  assert.deepEqual(page.snapshots, [20]);
});

test("snapshots that do not help are requested at growing intervals", async () => {
  start();
  for (let seq = 0; seq < 5; seq += 1) snapshots.push({ seq });
  for (const expected of [1, 1, 2]) {
    FakeSocket.latest().say({ type: "resync" });
    await settle();
    assert.equal(page.snapshots.length, expected);
    mock.timers.tick(expected === 1 ? 100 : 300);
    mock.timers.tick(100);
    await settle();
  }
});

test("a lost connection is retried within a second, indefinitely", () => {
  start();
  FakeSocket.latest().say({ seq: 6 });
  for (let attempt = 2; attempt < 12; attempt += 1) {
    FakeSocket.latest().end(1006);
    mock.timers.tick(1000);
    assert.equal(FakeSocket.all.length, attempt);
  }
  assert.match(FakeSocket.latest().address, /after=6$/);
  assert.deepEqual(page.states, ["connecting", "live", "connecting", "offline"]);
});

test("events lost during a broker outage are fetched", async () => {
  start();
  FakeSocket.latest().end(1013);
  mock.timers.tick(1000);
  snapshots.push({ seq: 12 });
  FakeSocket.latest().say({ type: "ping" });
  await settle();
  assert.deepEqual(page.snapshots, [12]);
});

test("a refusal is final", () => {
  start();
  FakeSocket.latest().end(4403);
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(page.states.at(-1), "offline");
});

test("a page that was hidden for long reconnects immediately", () => {
  start();
  FakeSocket.latest().say({ seq: 6 });
  /** @type {any} */ (document).visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  mock.timers.setTime(1_000_000 + 60_000);
  /** @type {any} */ (document).visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  assert.match(FakeSocket.latest().address, /after=6$/);
  assert.equal(FakeSocket.all.length, 2);
});

test("a connection to a silent server is replaced", () => {
  start();
  FakeSocket.latest().say({ type: "ping" });
  for (let second = 0; second < 8; second += 1) mock.timers.tick(1000);
  assert.equal(FakeSocket.all.length, 1);
  mock.timers.tick(1000);
  assert.equal(FakeSocket.all.length, 2);
  assert.equal(page.states.at(-1), "connecting");
});

test("a lost network is shown immediately, until a message from the server disproves it", () => {
  start();
  const socket = FakeSocket.latest();
  socket.say({ type: "ping" });
  /** @type {any} */ (navigator).onLine = false;
  window.dispatchEvent(new Event("offline"));
  assert.equal(page.states.at(-1), "offline");
  socket.say({ seq: 6 }); // the site runs on this machine
  assert.equal(page.states.at(-1), "live");
  assert.deepEqual(page.events, [6]);
});

test("many pages that start over spread their requests", async () => {
  mock.method(Math, "random", () => 0.5);
  start();
  snapshots.push({ seq: 20 });
  FakeSocket.latest().say({ type: "ping" }, { type: "resync", within: 2000 });
  assert.equal(page.states.at(-1), "connecting");
  mock.timers.tick(999);
  await settle();
  assert.deepEqual(page.snapshots, []);
  mock.timers.tick(1);
  await settle();
  assert.deepEqual(page.snapshots, [20]);
  mock.restoreAll();
});

test("a socket that opens before the snapshot arrives is not trusted", async () => {
  mock.method(Math, "random", () => 0.5);
  start();
  FakeSocket.latest().say({ type: "resync", within: 2000 });
  window.dispatchEvent(new Event("online"));
  snapshots.push({ seq: 20 });
  FakeSocket.latest().say({ type: "ping" });
  mock.timers.tick(200);
  await settle();
  assert.deepEqual(page.snapshots, [20]);
  mock.restoreAll();
});

test("a restored network is used immediately", () => {
  start();
  FakeSocket.latest().end(1006);
  window.dispatchEvent(new Event("online"));
  assert.equal(FakeSocket.all.length, 2);
});

async function pass(seconds) {
  for (let second = 0; second < seconds; second += 1) {
    if (FakeSocket.latest().onclose && !FakeSocket.latest().closed) FakeSocket.latest().end(1006);
    mock.timers.tick(1000);
    await settle();
  }
}

test("if no socket opens, snapshots are requested every two seconds", async () => {
  start();
  for (let seq = 6; seq < 10; seq += 1) snapshots.push({ seq });
  await pass(9);
  assert.deepEqual(page.snapshots, [6, 7, 8]);
  assert.equal(page.states.at(-1), "polling");
  FakeSocket.latest().say({ type: "ping" }, { seq: 9 });
  assert.match(FakeSocket.latest().address, /after=8$/);
  assert.deepEqual(page.events, [9]);
  assert.equal(page.states.at(-1), "live");
  await pass(0);
  assert.deepEqual(page.snapshots, [6, 7, 8]);
});

test("an unchanged snapshot is not drawn again", async () => {
  start();
  for (let turn = 0; turn < 4; turn += 1) snapshots.push({ seq: 5 });
  await pass(9);
  assert.deepEqual(page.snapshots, []);
  assert.equal(page.states.at(-1), "polling");
});

test("if snapshots fail too, the page is offline", async () => {
  start();
  snapshots.push({ seq: 6 });
  await pass(10);
  assert.deepEqual(page.snapshots, [6]);
  assert.equal(page.states.at(-1), "offline");
});

test("a snapshot that arrives after a socket has opened is ignored", async () => {
  start();
  /** @type {(response: any) => void} */
  let answer = () => {};
  globalThis.fetch = () => new Promise((resolve) => (answer = resolve));
  await pass(4);
  FakeSocket.latest().say({ type: "ping" }, { seq: 6 }, { seq: 7 });
  answer({ ok: true, json: async () => ({ seq: 6 }) });
  await settle();
  assert.deepEqual(page.snapshots, []);
  FakeSocket.latest().say({ seq: 8 });
  assert.deepEqual(page.events, [6, 7, 8]);
});

test("after the follower stops, no more events are delivered", () => {
  const stop = start();
  FakeSocket.latest().open();
  stop();
  assert.ok(FakeSocket.latest().closed);
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 1);
});

test("an unneeded socket is closed after its handshake, not during it", () => {
  start()();
  const socket = FakeSocket.latest();
  assert.equal(socket.closed, false);
  socket.open();
  assert.ok(socket.closed);
});

test("a handshake that hangs does not block the next socket", () => {
  start()();
  mock.timers.tick(1000);
  assert.ok(FakeSocket.latest().closed);
});
