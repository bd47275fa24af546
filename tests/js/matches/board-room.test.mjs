import assert from "node:assert/strict";
import { test } from "node:test";

const { roomAbove } = await import("#matches/board-room.js");

test("a board ends above the controls at the bottom of the window", () => {
  const room = roomAbove({ windowHeight: 768, top: 260, controls: 54, gap: 16 });
  assert.ok(260 + room + 16 + 54 < 768);
  assert.equal(roomAbove({ windowHeight: 900, top: 260, controls: 54, gap: 16 }) - room, 132);
});

test("a board stays legible in a very low window", () => {
  assert.ok(roomAbove({ windowHeight: 300, top: 260, controls: 54, gap: 16 }) >= 200);
});
