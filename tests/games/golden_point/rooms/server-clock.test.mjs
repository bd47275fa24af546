import assert from "node:assert/strict";
import test from "node:test";
import { ServerClock } from "../../../../arena/games/golden_point/rooms/static/rooms/server-clock.js";

test("what was delayed least tells the time", () => {
  let passed = 0;
  const clock = new ServerClock(() => passed);
  clock.sync(1_000_000);
  passed = 5_000;
  clock.sync(1_004_000); // a second late
  assert.equal(clock.until(1_007_000), 2_000);
  clock.sync(1_005_100); // the first one was late, too
  assert.equal(clock.until(1_007_000), 1_900);
});

test("a machine that slept is told by the next word", () => {
  let passed = 0;
  const clock = new ServerClock(() => passed);
  clock.sync(1_000_000);
  passed = 1_000; // of an hour
  clock.sync(1_000_000 + 3_600_000);
  assert.equal(clock.until(1_000_000 + 3_600_500), 500);
});

test("nothing is left of what is over, and of nothing", () => {
  const clock = new ServerClock(() => 0);
  clock.sync(1_000);
  assert.equal(clock.until(500), 0);
  assert.equal(clock.until(null), 0);
});
