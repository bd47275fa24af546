import assert from "node:assert/strict";
import { test } from "node:test";

import { RoundWindow } from "../../../arena/games/golden_point/static/golden_point/round-window.js";

test("the initial window is the last hundred rounds and follows new ones", () => {
  const shown = new RoundWindow();
  assert.deepEqual(shown.span(1, 30), { first: 1, last: 30 });
  assert.deepEqual(shown.span(1, 250), { first: 151, last: 250 });
  assert.ok(shown.isLast);
});

test("the whole window covers the available rounds", () => {
  const shown = new RoundWindow();
  shown.showAll();
  assert.deepEqual(shown.span(40, 250), { first: 40, last: 250 });
  assert.ok(shown.isAll);
});

test("zooming in keeps the round under the pointer in place", () => {
  const shown = new RoundWindow();
  shown.showAll();
  shown.zoom(0.5, 101, 1, 201);
  assert.deepEqual(shown.span(1, 201), { first: 51, last: 151 });
  assert.deepEqual(shown.span(1, 300), { first: 51, last: 151 }, "it stays when rounds follow");
});

test("a window that includes the newest round follows the game", () => {
  const shown = new RoundWindow();
  shown.zoom(0.5, 200, 1, 200);
  assert.deepEqual(shown.span(1, 200), { first: 151, last: 200 });
  assert.deepEqual(shown.span(1, 210), { first: 161, last: 210 });
});

test("zoom has a maximum, and zooming out far enough shows all rounds", () => {
  const shown = new RoundWindow();
  for (let turn = 0; turn < 20; turn += 1) shown.zoom(0.5, 100, 1, 200);
  const { first, last } = shown.span(1, 200);
  assert.equal(last - first + 1, 5);
  for (let turn = 0; turn < 20; turn += 1) shown.zoom(1.1, 100, 1, 200);
  shown.zoom(100, 100, 1, 200);
  assert.ok(shown.isAll);
});

test("panning stops at both ends", () => {
  const shown = new RoundWindow();
  shown.pan(-1000, 1, 250);
  assert.deepEqual(shown.span(1, 250), { first: 1, last: 100 });
  shown.pan(50, 1, 250);
  assert.deepEqual(shown.span(1, 250), { first: 51, last: 150 });
  shown.pan(1000, 1, 250);
  assert.ok(shown.isLast);
});
