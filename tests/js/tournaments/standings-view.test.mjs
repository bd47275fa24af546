// A match's line in a tournament's list.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: { lang: "en" } };
await import("../words.mjs");
const { matchNames } = await import("#tournaments/standings-view.js");

test("the line of a large table says how many bots it omits", () => {
  assert.equal(matchNames({ names: ["a", "b"], hidden: 0 }), "a – b");
  assert.equal(matchNames({ names: ["a", "b", "c"], hidden: 1 }), "a – b – c and 1 more bot");
  assert.equal(matchNames({ names: ["a", "b", "c"], hidden: 2 }), "a – b – c and 2 more bots");
});
