import assert from "node:assert/strict";
import { test } from "node:test";

const { spaceAbove } = await import("#matches/board-space.js");

test("a board ends above the controls at the bottom of the window", () => {
  const space = spaceAbove({ windowHeight: 768, top: 260, controls: 54, gap: 16 });
  assert.ok(260 + space + 16 + 54 < 768);
  assert.equal(spaceAbove({ windowHeight: 900, top: 260, controls: 54, gap: 16 }) - space, 132);
});

test("a board stays legible in a very low window", () => {
  assert.ok(spaceAbove({ windowHeight: 300, top: 260, controls: 54, gap: 16 }) >= 200);
});
