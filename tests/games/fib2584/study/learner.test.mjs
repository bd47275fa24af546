/** The learner on the page: same rules as the arena, exact values, and learning progress. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Learner, Truth, codeOf, reward, slide } from "../../../../arena/games/fib2584/study/static/fib2584_study/learner.js";

const truth = new Truth();

/** A seeded random generator of numbers from 0 to 1. */
function seeded(seed) {
  return () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
}

test("a new game has the known value", () => {
  assert.ok(Math.abs(truth.start - 1425.817561) < 1e-6);
  assert.equal(truth.values.length, 131830); // of 525,758 boards, one for each group of up to four symmetric ones
});

test("the values of boards match the published ones", () => {
  assert.ok(Math.abs(truth.before(codeOf([2, 2, 0, 0, 0, 0])) - 1422.339233) < 1e-3);
  assert.ok(Math.abs(truth.after(codeOf([0, 0, 0, 0, 1, 2])) - 1424.364258) < 1e-3);
});

test("hundreds of random slides match the arena's", () => {
  const random = seeded(7);
  const boards = Array.from({ length: 400 }, () => Array.from({ length: 6 }, () => Math.floor(random() * 11)));
  const program = `
import json, sys
from arena.games.fib2584.board import pack, slide, unpack
boards = json.load(sys.stdin)
json.dump([[[unpack(slide(pack(board), way)[0]), slide(pack(board), way)[1]] for way in range(4)] for board in boards], sys.stdout)`;
  const expected = JSON.parse(execFileSync(process.env.PYTHON ?? "python3", ["-c", program], { input: JSON.stringify(boards) }).toString());
  boards.forEach((board, at) => {
    for (let direction = 0; direction < 4; direction += 1) {
      const [tiles, gain] = expected[at][direction];
      assert.equal(slide(codeOf(board), direction), codeOf(tiles));
      assert.equal(reward(), gain);
    }
  });
});

test("optimistic initial values lead to better play and smaller errors than zero", () => {
  const plan = { games: 6000, first: 0.5, last: 0.1 };
  const [zero, optimistic] = [0, 400].map((initial) => {
    const learner = new Learner(truth, { ...plan, initial }, seeded(3));
    learner.play(3000);
    learner.report();
    learner.play(3000);
    assert.ok(learner.isDone);
    return learner.report();
  });
  assert.equal(zero.games, 6000);
  assert.ok(optimistic.score > 1.5 * zero.score);
  assert.ok(optimistic.error < 0.75 * zero.error);
});
