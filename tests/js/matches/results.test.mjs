// The result of a match, when the match ends while its page is open.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { MatchModel } = await import("#matches/match-model.js");
const { faultySeats, pairOutcome, pairResult, tableOutcome, tableResult } = await import("#matches/results.js");
const { faultLabel } = await import("#live/labels.js");

const ME = { seat: 0, is: "person" };
const MY_BOT = { seat: 0, is: "bot" };

/** @param {number[]} ranks @param {any} [options] */
function model(ranks, { reader = null, termination = "completed", points = ranks.map(() => 0), fault = null } = {}) {
  const seats = ranks.map((rank, index) => ({ index, name: index === 1 ? "Corners" : "Ann", bot_url: "", fault: rank > 1 ? fault : null }));
  const best = ranks.filter((rank) => rank === 1).length === 1 ? ranks.indexOf(1) : null;
  const outcome = { ranks, points, termination, winner: best };
  return new MatchModel(/** @type {any} */ ({ seq: 1, match: { id: 1, status: "finished" }, seats, turns: [], outcome, reader }));
}

const pair = (ranks, scores, options) => pairOutcome(model(ranks, options), scores);
const table = (ranks, options) => tableOutcome(model(ranks, options));

test("other readers are addressed in the third person", () => {
  assert.deepEqual(pair([2, 1], [13, 51]), { code: "wins", values: { winner: "Corners", mine: 51, theirs: 13 } });
  assert.deepEqual(pair([1, 1], [32, 32]), { code: "draw", values: { mine: 32, theirs: 32 } });
  const forfeit = { termination: "forfeit", fault: "timeout" };
  assert.deepEqual(pair([2, 1], [40, 4], forfeit), { code: "wins_by_forfeit", values: { winner: "Corners", loser: "Ann", why: "timeout" } });
  const resigned = pair([1, 2], [40, 4], { termination: "resignation" });
  assert.deepEqual(resigned, { code: "wins_by_resignation", values: { winner: "Ann", loser: "Corners" } });
});

test("players are addressed in the second person", () => {
  assert.deepEqual(pair([2, 1], [13, 51], { reader: ME }), { code: "you.lost", values: { mine: 13, theirs: 51 } });
  assert.deepEqual(pair([1, 2], [51, 13], { reader: ME }), { code: "you.won", values: { mine: 51, theirs: 13 } });
  assert.deepEqual(pair([1, 1], [32, 32], { reader: ME }), { code: "you.drew", values: { mine: 32, theirs: 32 } });
  for (const why of ["timeout", "silence"]) {
    const lost = pair([2, 1], [40, 4], { reader: ME, termination: "forfeit", fault: why });
    assert.deepEqual(lost, { code: "you.lost_by_forfeit", values: { why } });
  }
  const won = pair([1, 2], [4, 40], { reader: ME, termination: "resignation" });
  assert.deepEqual(won, { code: "you.won_by_resignation", values: { loser: "Corners" } });
  assert.deepEqual(pair([2, 1], [13, 51], { reader: MY_BOT }), { code: "your_bot.lost", values: { mine: 13, theirs: 51 } });
  const other = { reader: { seat: 1, is: "bot" } };
  assert.deepEqual(pair([2, 1], [13, 51], other), { code: "your_bot.won", values: { mine: 51, theirs: 13 } });
});

test("at tables of one or many seats, people read their own place or score", () => {
  assert.deepEqual(table([1], { points: [7] }), { code: "scored", values: { name: "Ann", points: 7 } });
  assert.deepEqual(table([1], { points: [7], reader: ME }), { code: "you.scored", values: { points: 7 } });
  assert.deepEqual(table([1], { points: [7], reader: MY_BOT }), { code: "your_bot.scored", values: { points: 7 } });
  const second = table([2, 1, 3], { points: [40, 61, 3], reader: ME });
  assert.deepEqual(second, { code: "you.finished", values: { points: 40, rank: 2, seats: 3 } });
  assert.deepEqual(table([1, 2, 3], { points: [61, 40, 3], reader: ME }), { code: "you.won_with", values: { points: 61, seats: 3 } });
  const tied = table([1, 1, 3], { points: [9, 9, 2], reader: ME });
  assert.deepEqual(tied, { code: "you.tied", values: { points: 9, rank: 1, seats: 3 } });
  const resigned = table([3, 1, 2], { points: [5, 9, 6], reader: ME, fault: "resigned" });
  assert.deepEqual(resigned, { code: "you.resigned", values: { points: 5 } });
});

test("the reason for a forfeit follows the result", () => {
  const ended = { points: [1, 9, 6], fault: "crash" };
  const explained = (ranks, reader) => {
    const one = model(ranks, { ...ended, reader });
    return [tableOutcome(one).code, faultySeats(one).map(({ index, fault }) => [index, fault])];
  };
  assert.deepEqual(explained([2, 1, 3], ME), ["you.finished", [[0, "crash"]]]);
  assert.deepEqual(explained([2, 1, 3], { seat: 1, is: "bot" }), ["your_bot.won_with", []]);
  assert.deepEqual(explained([2, 1, 1], null), ["shared", [[0, "crash"]]]);
  const label = faultLabel("crash");
  assert.ok(tableResult(model([2, 1, 3], { ...ended, reader: ME })).endsWith(`. ${label}`));
  assert.ok(tableResult(model([2, 1, 1], ended)).endsWith(`. Ann: ${label}`));
  assert.ok(!tableResult(model([2, 1, 3], { ...ended, reader: { seat: 1, is: "bot" } })).includes(label));
});

test("tables of many seats have places and ties", () => {
  const eleven = [2, 1, ...Array(9).fill(3)];
  const points = eleven.map((_, seat) => 40 - seat);
  assert.deepEqual(table(eleven, { points }), { code: "wins_with", values: { name: "Corners", points: 39 } });
  assert.deepEqual(table(eleven, { points, reader: MY_BOT }), { code: "your_bot.finished", values: { points: 40, rank: 2, seats: 11 } });
  const shared = { points: [9, 9, 2] };
  assert.deepEqual(table([1, 1, 3], shared), { code: "shared", values: { names: ["Ann", "Corners"], points: 9 } });
  const tied = table([1, 1, 3], { ...shared, reader: MY_BOT });
  assert.deepEqual(tied, { code: "your_bot.tied", values: { points: 9, rank: 1, seats: 3 } });
});

test("a sentence contains its values in words", () => {
  const shared = tableResult(model([1, 1, 3], { points: [1, 1, 0] }));
  for (const part of ["Ann, Corners", "1 point"]) assert.ok(shared.includes(part), shared);
  const second = tableResult(model([2, 1, 3], { points: [40, 61, 3], reader: ME }));
  for (const part of ["2nd", "40 points"]) assert.ok(second.includes(part), second);
  const lost = pairResult(model([2, 1], { reader: ME, termination: "forfeit", fault: "silence" }), [40, 4]);
  assert.ok(lost.includes(faultLabel("silence")), lost);
  const cut = pairResult(model([2, 1], { reader: ME, termination: "forfeit" }), [40, 4]);
  for (const text of [shared, second, lost, cut]) assert.doesNotMatch(text, /%|undefined|null/);
});

test("a match that reached its time limit has no winner and is not a draw", () => {
  for (const reader of [null, ME, MY_BOT]) {
    const ended = model([1, 1], { reader, termination: "time_limit" });
    assert.deepEqual(pairOutcome(ended, [40, 20]), { code: "time_limit", values: {} });
    assert.deepEqual(tableOutcome(ended), { code: "time_limit", values: {} });
    assert.equal(pairResult(ended, [40, 20]), tableResult(ended));
  }
});

test("an unfinished match has no result", () => {
  const one = model([2, 1]);
  one.outcome = null;
  assert.deepEqual([pairOutcome(one, [1, 2]), tableOutcome(one), pairResult(one, [1, 2]), tableResult(one)], [null, null, "", ""]);
});

test("a later public snapshot keeps what is known about the reader", () => {
  const one = model([2, 1], { reader: ME });
  one.reset(/** @type {any} */ ({ seq: 9, match: { id: 1, status: "finished" }, seats: one.seats, turns: [], outcome: one.outcome }));
  assert.equal(pairOutcome(one, [13, 51])?.code, "you.lost");
});
