import assert from "node:assert/strict";
import { test } from "node:test";

const { heightAbove } = await import("#matches/board-height.js");

test("a board ends above the controls at the bottom of the window", () => {
  const space = heightAbove({ windowHeight: 768, top: 260, controls: 54, gap: 16 });
  assert.ok(260 + space + 16 + 54 < 768);
  assert.equal(heightAbove({ windowHeight: 900, top: 260, controls: 54, gap: 16 }) - space, 132);
});

test("a board stays legible in a very short window", () => {
  assert.ok(heightAbove({ windowHeight: 300, top: 260, controls: 54, gap: 16 }) >= 200);
});
