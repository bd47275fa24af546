/** The browser's rules give the same doubles and points as the referee's. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { exactSum, isValid, scoreRound } from "../../../arena/games/golden_point/static/golden_point/rules.js";

test("a sum is rounded only once", () => {
  assert.equal(exactSum([]), 0);
  assert.equal(exactSum(Array(10).fill(0.1)), 1);
  assert.equal(exactSum([1, 1e100, 1, -1e100]), 2);
  assert.equal(exactSum([1e16, 1, 1]), 1e16 + 2);
});

test("nearest, farthest, absent and single players", () => {
  assert.deepEqual(scoreRound([[20], [30], [90]])?.gains, [0, 3, -2]);
  assert.deepEqual(scoreRound([[24, 90], [30, 30]])?.gains, [0, 0]);
  assert.deepEqual(scoreRound([[10], null, [10]])?.gains, [2, 0, 2]);
  assert.deepEqual(scoreRound([[10], null])?.gains, [0, 0]);
  assert.equal(scoreRound([null, null]), null);
});

test("hundreds of rounds give exactly the referee's doubles", () => {
  const rounds = [];
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 300; round += 1) {
    const numbers = Array.from({ length: 2 + Math.floor(random() * 9) }, () => (random() < 0.1 ? null : [random() * 99 + 0.01, random() * 99 + 0.01]));
    rounds.push(numbers);
  }
  const program = `
import json, sys
from arena.games.golden_point.rules import score_round
rounds = json.load(sys.stdin)
found = [score_round([own and tuple(own) for own in numbers]) if any(numbers) else None for numbers in rounds]
json.dump([each and {"golden": each.golden, "gains": each.gains} for each in found], sys.stdout)`;
  const answer = execFileSync(process.env.PYTHON ?? "python3", ["-c", program], { input: JSON.stringify(rounds) });
  assert.deepEqual(rounds.map(scoreRound), JSON.parse(answer.toString()));
});

test("only numbers strictly between the bounds are valid", () => {
  assert.deepEqual([0, 5e-324, 99.99999999999999, 100, -1, NaN].map(isValid), [false, true, true, false, false, false]);
});
