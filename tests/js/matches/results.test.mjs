// The result of a match in words, when the match ends while its page is open.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { MatchModel } = await import("#matches/match-model.js");
const { pairResult, tableResult } = await import("#matches/results.js");

const ME = { seat: 0, is: "person" };
const MY_BOT = { seat: 0, is: "bot" };

/** @param {number[]} ranks @param {any} [options] */
function model(ranks, { reader = null, termination = "completed", points = ranks.map(() => 0), fault = null } = {}) {
  const seats = ranks.map((rank, index) => ({ index, name: index === 1 ? "Corners" : "Ann", bot_url: "", fault: rank > 1 ? fault : null }));
  const best = ranks.filter((rank) => rank === 1).length === 1 ? ranks.indexOf(1) : null;
  const outcome = { ranks, points, termination, winner: best };
  return new MatchModel(/** @type {any} */ ({ seq: 1, match: { id: 1, status: "finished" }, seats, turns: [], outcome, reader }));
}

const result = (ranks, scores, options) => pairResult(model(ranks, options), scores);

test("other readers are addressed in the third person", () => {
  assert.equal(result([2, 1], [13, 51]), "Corners wins 51 to 13");
  assert.equal(result([1, 1], [32, 32]), "A draw, 32 to 32");
  assert.equal(result([2, 1], [40, 4], { termination: "forfeit", fault: "timeout" }), "Corners wins by forfeit. Ann: Out of time");
});

test("players are addressed in the second person", () => {
  assert.equal(result([2, 1], [13, 51], { reader: ME }), "You lost 13 to 51");
  assert.equal(result([1, 2], [51, 13], { reader: ME }), "You won 51 to 13");
  assert.equal(result([1, 1], [32, 32], { reader: ME }), "You drew 32 to 32");
  assert.equal(result([2, 1], [40, 4], { reader: ME, termination: "forfeit", fault: "timeout" }), "You lost by forfeit: Out of time");
  assert.equal(result([2, 1], [40, 4], { reader: ME, termination: "forfeit", fault: "silence" }), "You lost by forfeit: No move for five minutes");
  assert.equal(result([1, 2], [4, 40], { reader: ME, termination: "resignation" }), "You won: Corners resigned");
  assert.equal(result([2, 1], [13, 51], { reader: MY_BOT }), "Your bot lost 13 to 51");
  assert.equal(result([2, 1], [13, 51], { reader: { seat: 1, is: "bot" } }), "Your bot won 51 to 13");
});

test("at tables of one or many seats, people read their own place or score", () => {
  assert.equal(tableResult(model([1], { points: [7] })), "Ann scored 7 points");
  assert.equal(tableResult(model([1], { points: [7], reader: ME })), "You scored 7 points");
  assert.equal(tableResult(model([1], { points: [7], reader: MY_BOT })), "Your bot scored 7 points");
  assert.equal(tableResult(model([2, 1, 3], { points: [40, 61, 3], reader: ME })), "You finished 2nd of 3 with 40 points");
  assert.equal(tableResult(model([1, 2, 3], { points: [61, 40, 3], reader: ME })), "You won with 61 points, first of 3");
  assert.equal(tableResult(model([1, 1, 3], { points: [9, 9, 2], reader: ME })), "You tied for 1st of 3 with 9 points");
  assert.equal(tableResult(model([3, 1, 2], { points: [5, 9, 6], reader: ME, fault: "resigned" })), "You resigned with 5 points");
});

test("the reason for a forfeit follows the result", () => {
  const ended = { points: [1, 9, 6], fault: "crash" };
  assert.equal(tableResult(model([2, 1, 3], { ...ended, reader: ME })), "You finished 2nd of 3 with 1 point. Crashed");
  assert.equal(tableResult(model([2, 1, 3], { ...ended, reader: { seat: 1, is: "bot" } })), "Your bot won with 9 points, first of 3");
  assert.equal(tableResult(model([2, 1, 1], { ...ended })), "Shared first place with 9 points: Corners, Ann. Ann: Crashed");
});

test("tables of many seats have places and ties", () => {
  const eleven = [2, 1, ...Array(9).fill(3)];
  const points = eleven.map((_, seat) => 40 - seat);
  assert.equal(tableResult(model(eleven, { points })), "Corners wins with 39 points");
  assert.equal(tableResult(model(eleven, { points, reader: MY_BOT })), "Your bot finished 2nd of 11 with 40 points");
  assert.equal(tableResult(model([1, 1, 3], { points: [9, 9, 2] })), "Shared first place with 9 points: Ann, Corners");
  assert.equal(tableResult(model([1, 1, 3], { points: [9, 9, 2], reader: MY_BOT })), "Your bot tied for 1st of 3 with 9 points");
});

test("a match that reached its time limit has no winner and is not a draw", () => {
  for (const reader of [null, ME, MY_BOT]) {
    const ended = model([1, 1], { reader, termination: "time_limit" });
    assert.equal(pairResult(ended, [40, 20]), "No winner: the match reached its time limit");
    assert.equal(tableResult(ended), "No winner: the match reached its time limit");
  }
});

test("a later public snapshot keeps what is known about the reader", () => {
  const one = model([2, 1], { reader: ME });
  one.reset(/** @type {any} */ ({ seq: 9, match: { id: 1, status: "finished" }, seats: one.seats, turns: [], outcome: one.outcome }));
  assert.equal(pairResult(one, [13, 51]), "You lost 13 to 51");
});
