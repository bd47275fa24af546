import assert from "node:assert/strict";
import test from "node:test";
import { ServerClock } from "../../../../arena/games/golden_point/rooms/static/rooms/server-clock.js";

test("the least delayed message sets the clock", () => {
  let passed = 0;
  const clock = new ServerClock(() => passed);
  clock.sync(1_000_000);
  passed = 5_000;
  clock.sync(1_004_000); // a second late
  assert.equal(clock.until(1_007_000), 2_000);
  clock.sync(1_005_100); // the first message was late too
  assert.equal(clock.until(1_007_000), 1_900);
});

test("after sleep, the next message corrects the clock", () => {
  let passed = 0;
  const clock = new ServerClock(() => passed);
  clock.sync(1_000_000);
  passed = 1_000; // although an hour has passed
  clock.sync(1_000_000 + 3_600_000);
  assert.equal(clock.until(1_000_000 + 3_600_500), 500);
});

test("a past or missing deadline leaves no time", () => {
  const clock = new ServerClock(() => 0);
  clock.sync(1_000);
  assert.equal(clock.until(500), 0);
  assert.equal(clock.until(null), 0);
});
