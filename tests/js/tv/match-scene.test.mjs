import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

const { leaders } = await import("#tv/match-scene.js");

test("the leaders of a table, ties in the order of the seats", () => {
  assert.deepEqual(leaders([3, 1, 3, 2]), [1, 3, 0, 2]);
});

test("only the best five of a large table", () => {
  assert.deepEqual(leaders([7, 6, 5, 4, 3, 2, 1]), [6, 5, 4, 3, 2]);
});
