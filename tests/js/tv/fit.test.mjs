import assert from "node:assert/strict";
import { test } from "node:test";

const { fillingZoom, fittingHeight } = await import("#tv/fit.js");

test("a table ends with the last row that fits completely", () => {
  assert.equal(fittingHeight([100, 160, 220], 200), 160);
  assert.equal(fittingHeight([100, 160, 220], 220), null);
  assert.equal(fittingHeight([100, 160], 50), null);
  assert.equal(fittingHeight([], 50), null);
});

test("a bracket fills the room in one direction", () => {
  assert.equal(fillingZoom([2000, 400], [1000, 800], 1.4), 0.5);
  assert.equal(fillingZoom([400, 1600], [1000, 800], 1.4), 0.5);
  assert.equal(fillingZoom([100, 100], [1000, 800], 1.4), 1.4);
  assert.equal(fillingZoom([0, 0], [0, 0], 1.4), 1); // before layout
});
