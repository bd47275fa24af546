import assert from "node:assert/strict";
import test from "node:test";
import "../../js/words.mjs";
import { fittingLabels, labelLines, labelSpace, leaderLabels, leadersOf, spreadLabels } from "../../../arena/games/golden_point/static/golden_point/leaders.js";

const spread = (wanted, low, high, height = 10) => spreadLabels(wanted, wanted.map(() => height), low, high);

test("names that do not overlap keep their positions", () => {
  assert.deepEqual(spread([10, 50, 30], 0, 100, 15), [10, 50, 30]);
});

test("names that would overlap are moved apart and keep their order", () => {
  assert.deepEqual(spread([50, 51, 52], 0, 100), [50, 60, 70]);
  assert.deepEqual(spread([52, 50, 51], 0, 100), [70, 50, 60]);
});

test("names at an edge stay within the chart", () => {
  assert.deepEqual(spread([99, 100, 98], 0, 100), [85, 95, 75]);
  assert.deepEqual(spread([-20, 400], 5, 95), [10, 90]);
  assert.deepEqual(spread([], 0, 100), []);
});

test("a name of two lines has the space of two", () => {
  assert.deepEqual(spreadLabels([50, 51, 52], [10, 20, 10], 0, 100), [50, 65, 80]);
});

const widthOf = (text) => [...text].length;

test("a long name breaks between words, or else between characters, and nothing is left out", () => {
  assert.deepEqual(labelLines(widthOf, "1\u00a0Mia", 12), ["1\u00a0Mia"]);
  assert.deepEqual(labelLines(widthOf, "1\u00a0Alexandra Montgomery", 12), ["1\u00a0Alexandra", "Montgomery"]);
  assert.deepEqual(labelLines(widthOf, "1\u00a0Maximilian-Augustin K", 14), ["1\u00a0Maximilian-", "Augustin K"]);
  assert.deepEqual(labelLines(widthOf, "1\u00a0黄金分割点预测大师零点六一八", 10), ["1\u00a0黄金分割点预", "测大师零点六一八"]);
  assert.equal(labelLines(widthOf, "W".repeat(40), 12).join(""), "W".repeat(40));
});

test("the names get the width of the longest line, and no more than there is", () => {
  const style = { size: 1, most: 20 };
  assert.equal(labelSpace(widthOf, ["1\u00a0Mia", "2\u00a0Alexandra"], style), 14);
  assert.equal(labelSpace(widthOf, ["1\u00a0Alexandra Montgomery"], style), 14);
  assert.equal(labelSpace(widthOf, ["W".repeat(40)], style), 20);
});

test("a short chart names only as many leaders as fit", () => {
  const labels = [2, 2, 1, 1].map((count) => ({ lines: Array(count).fill("Mia") }));
  assert.deepEqual(fittingLabels(labels, 6), labels);
  assert.deepEqual(fittingLabels(labels, 4), labels.slice(0, 2));
});

const scored = (...scores) => scores.map((score) => ({ score }));
const led = (...scores) => leadersOf(scored(...scores)).map(({ score }) => score);

test("everyone who shares the third place is a leader, up to six players", () => {
  assert.deepEqual(led(9, 8, 7, 6), [9, 8, 7]);
  assert.deepEqual(led(9, 9, 9, 9, 1), [9, 9, 9, 9]);
  assert.deepEqual(led(9, 8, 7, 7, 7, 7, 1), [9, 8, 7, 7, 7, 7]);
  assert.deepEqual(led(9, 8), [9, 8]);
});

test("a tie of too many players leaves only those ahead of it", () => {
  assert.deepEqual(led(9, 8, ...Array(26).fill(0)), [9, 8]);
  assert.deepEqual(led(...Array(7).fill(5), 1), []);
});

test("nobody leads while all have no points", () => {
  assert.deepEqual(led(0, 0), []);
  assert.deepEqual(led(), []);
});

/** @param {(number[] | null)[]} numbers by rank @returns {string[]} the labels of Ada, Ben, Cem … who have all ranks in turn */
const labels = (...numbers) => {
  const names = ["Ada", "Ben", "Cem", "Dan", "Eve"];
  const standings = numbers.map((_, seat) => ({ seat, name: names[seat], rank: seat + 1, score: 9 - seat }));
  return leaderLabels(standings, numbers).map(({ text }) => text.replaceAll("\u00a0", " "));
};

test("a label also names another player whose line ends at the same point, or counts several", () => {
  assert.deepEqual(labels([1], [2], [3], [2, 9], [4]), ["1 Ada", "2 Ben, 4 Dan", "3 Cem"]);
  assert.deepEqual(labels([1], [2], [3], [3], [3]), ["1 Ada", "2 Ben", "3 Cem and 2 more"]);
});

test("leaders whose lines end at the same point have a label each", () => {
  assert.deepEqual(labels([1], [1], null, [1], null), ["1 Ada, 4 Dan", "2 Ben", "3 Cem"]);
});
