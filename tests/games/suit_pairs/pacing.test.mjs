// An opponent's actions are shown one by one, the reader's own immediately.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Pacing } from "../../../arena/games/suit_pairs/static/suit_pairs/pacing.js";

let drawn = [];

beforeEach(() => {
  drawn = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const pacing = (slow) => {
  const made = new Pacing((index) => drawn.push(index), (index) => (slow.includes(index) ? 800 : 0));
  made.jump(0);
  return made;
};

test("the reader's own turns are drawn immediately, an opponent's one by one", () => {
  const made = pacing([2, 3]);
  let done = 0;
  made.play(4);
  made.whenIdle(() => (done += 1));
  assert.deepEqual(drawn, [0, 1]);
  mock.timers.tick(800);
  assert.deepEqual([drawn, done], [[0, 1, 2], 0]);
  mock.timers.tick(800);
  assert.deepEqual([drawn, done, made.isIdle], [[0, 1, 2, 3, 4], 1, true]);
});

test("turns that arrive in the meantime follow, and a jump discards them", () => {
  const made = pacing([1, 2, 3]);
  made.play(1);
  made.play(3);
  mock.timers.tick(800);
  assert.deepEqual(drawn, [0, 1]);
  made.jump(3);
  mock.timers.tick(5000);
  assert.deepEqual(drawn, [0, 1, 3]);
});
