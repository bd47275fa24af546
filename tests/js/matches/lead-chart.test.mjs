import assert from "node:assert/strict";
import { test } from "node:test";

import { amount, latestLead, share } from "../../../static/js/matches/evaluation.js";
import { indexAt, points, range } from "../../../static/js/matches/lead-chart.js";

test("small leads look small, and zero is in the middle", () => {
  assert.deepEqual(range([0, 1, -2], 8), [-8, 8]);
  assert.deepEqual(range([0, 3, -10], 8), [-10, 10]);
});

test("values that can only fall fill the chart from the top", () => assert.deepEqual(range([0, -3, -5], 0), [-5, 0]));

test("the line is scaled to the expected number of turns", () => {
  assert.equal(points([0, 8, -8], 3, 8), "0,36 150,4 300,68");
  assert.equal(points([0], 61, 8), "0,36");
});

test("turns with unknown values are left out", () => assert.equal(points([0, null, -8], 3, 8), "0,36 300,68"));

test("a position in the chart is a turn that was played", () => {
  assert.equal(indexAt(0.5, 3, 3), 1);
  assert.equal(indexAt(1, 3, 61), 2);
  assert.equal(indexAt(-0.1, 3, 61), 0);
});

test("the bar is full at the edge, whatever the lead", () => {
  assert.equal(share(0, 16), 0.5);
  assert.equal(share(8, 16), 0.75);
  assert.equal(share(-40, 16), 0);
});

test("an unknown lead is replaced by the previous one", () => {
  assert.equal(latestLead([0, 2, null, null, 5], 3), 2);
  assert.equal(latestLead([0, 2], -1), 0);
  assert.equal(latestLead([], 3), 0);
});

test("leads are rounded", () => assert.deepEqual([0, -6, 0.42, 11.6].map(amount), ["0", "6", "0.4", "12"]));
