import assert from "node:assert/strict";
import { test } from "node:test";

const { fittingZoom } = await import("#matches/board-size.js");

test("only a board taller than its container shrinks", () => {
  assert.equal(fittingZoom(1200, 900), 0.75);
  assert.equal(fittingZoom(900, 900), 1);
  assert.equal(fittingZoom(900, 0), 1); // before layout
});
