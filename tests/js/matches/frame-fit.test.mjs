import assert from "node:assert/strict";
import { test } from "node:test";

const { fillingFit } = await import("#matches/frame-fit.js");

const REM = 10; // the usual width is 340
const square = (/** @type {number} */ width) => width;

test("a board is enlarged until it fills a large frame", () => {
  assert.deepEqual(fillingFit({ width: 1000, height: 680 }, REM, square), { width: 340, zoom: 2 });
});

test("a wider layout is used if it fills more of the frame", () => {
  const low = (/** @type {number} */ width) => 100_000 / width;
  assert.equal(fillingFit({ width: 1280, height: 320 }, REM, low).width, 640);
});

test("a board in a short frame becomes narrower without zoom", () => {
  const { width, zoom } = fillingFit({ width: 400, height: 200 }, REM, square);
  assert.equal(zoom, 1);
  assert.ok(width > 195 && width <= 200);
});

test("a board that would become too narrow is zoomed", () => {
  assert.deepEqual(fillingFit({ width: 400, height: 85 }, REM, square), { width: 340, zoom: 0.25 });
});
