import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { caption, facts } = await import("../../../arena/games/golden_point/static/golden_point/captions.js");

const seats = ["Ann", "Ben", "Cleo"].map((name, index) => ({ name, index }));
const turn = (round, scores) => ({ view: { round, scores, out: [] } });

/**
 * A match of 25 rounds in which Ann gains 2 points a round, Ben 1 and Cleo 0, except in the last round.
 * @returns {any}
 */
function model(lastScores) {
  const turns = Array.from({ length: 25 }, (_, round) => turn(round, [2 * round, round, 0]));
  turns.push(turn(25, lastScores));
  return { turns, seats, outcome: null, last: 25, match: { settings: { rounds: 100 } } };
}

test("the lead over the second, and the best of the last rounds", () => {
  const found = facts(model([48, 24, 60]), 25, [2, 3, 1]);
  assert.deepEqual(found, [
    { code: "lead", values: { name: "Cleo", left: 75, points: "12" } },
    { code: "recent", values: { rounds: 20, name: "Cleo", gain: "+60" } },
  ]);
});

test("a shared lead", () => {
  assert.deepEqual(facts(model([50, 50, 0]), 25, [1, 1, 3])[0], { code: "shared", values: { name: "Ann, Ben", left: 75 } });
});

test("a lead that nobody can overtake any more", () => {
  const ending = (lead) => {
    const one = model([lead, 0, 0]);
    return facts({ ...one, match: { settings: { rounds: 30 } } }, 25, [1, 2, 2])[0].code;
  };
  assert.equal(ending(5 * (3 + 2)), "lead"); // in each of five rounds, another could win 3 points and Ann lose 2
  assert.equal(ending(5 * (3 + 2) + 1), "certain");
});

test("after the end, only what the result does not say", () => {
  const over = { ...model([48, 24, 60]), outcome: { winner: 2 } };
  assert.deepEqual(facts(over, 25, [2, 3, 1]).map(({ code }) => code), ["recent"]);
});

test("every fact has a sentence", () => {
  for (const ranks of [[2, 3, 1], [1, 1, 3]]) {
    const text = caption(model([50, 50, 60]), 25, ranks);
    assert.match(text, /\. .*\.$/);
    assert.doesNotMatch(text, /undefined|%/);
  }
});
