import assert from "node:assert/strict";
import { test } from "node:test";

const { fittingZoom } = await import("#tv/fit.js");

test("a bracket is as large as the space allows", () => {
  assert.equal(fittingZoom(() => true), 1);
  const zoom = fittingZoom((factor) => 1500 * factor <= 800);
  assert.ok(zoom <= 800 / 1500 && zoom > (800 / 1500) * 0.95, `${zoom}`);
  assert.ok(fittingZoom(() => false) > 0); // before layout
});
