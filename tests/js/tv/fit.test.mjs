import assert from "node:assert/strict";
import { test } from "node:test";

const { fittingHeight, fittingZoom } = await import("#tv/fit.js");

test("a board that is higher than its place shrinks to it, and no other does", () => {
  assert.equal(fittingZoom(1200, 900), 0.75);
  assert.equal(fittingZoom(900, 900), 1);
  assert.equal(fittingZoom(900, 0), 1); // not laid out yet
});

test("a table ends with the last row that fits whole", () => {
  assert.equal(fittingHeight([100, 160, 220], 200), 160);
  assert.equal(fittingHeight([100, 160, 220], 220), null);
  assert.equal(fittingHeight([100, 160], 50), null);
  assert.equal(fittingHeight([], 50), null);
});
