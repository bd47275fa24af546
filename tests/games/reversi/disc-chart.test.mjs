import assert from "node:assert/strict";
import { test } from "node:test";

import { indexAt, leads, points, reach } from "../../../arena/games/reversi/static/reversi/disc-chart.js";

const turns = [
  { view: { counts: { X: 2, O: 2 } } },
  { view: { counts: { X: 4, O: 1 } } },
  { view: { counts: { X: 3, O: 13 } } },
];

test("a lead is black's", () => assert.deepEqual(leads(turns), [0, 3, -10]));

test("small leads look small", () => {
  assert.equal(reach([0, 1, -2]), 8);
  assert.equal(reach([0, 3, -10]), 10);
});

test("nought is in the middle, and the line fills the room of all turns", () => {
  assert.equal(points([0, 8, -8], 3), "0,36 150,4 300,68");
  assert.equal(points([0], 61), "0,36");
});

test("a place in the chart is a turn that was played", () => {
  assert.equal(indexAt(0.5, 3, 3), 1);
  assert.equal(indexAt(1, 3, 61), 2);
  assert.equal(indexAt(-0.1, 3, 61), 0);
});
