import assert from "node:assert/strict";
import { test } from "node:test";

const { fittingHeight, fittingZoom } = await import("#tv/fit.js");

test("a table ends with the last row that fits completely", () => {
  assert.equal(fittingHeight([100, 160, 220], 200), 160);
  assert.equal(fittingHeight([100, 160, 220], 220), null);
  assert.equal(fittingHeight([100, 160], 50), null);
  assert.equal(fittingHeight([], 50), null);
});

test("a bracket is as large as the room allows", () => {
  assert.equal(fittingZoom(() => true), 1);
  const zoom = fittingZoom((factor) => 1500 * factor <= 800);
  assert.ok(zoom <= 800 / 1500 && zoom > (800 / 1500) * 0.95, `${zoom}`);
  assert.ok(fittingZoom(() => false) > 0); // before layout
});
