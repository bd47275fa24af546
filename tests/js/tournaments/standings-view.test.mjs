// A match's line in a tournament's list.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { matchNames } = await import("#tournaments/standings-view.js");

/** @returns {any} */
const line = (names, hidden) => ({ names, hidden });

test("the line of a large table says how many bots it omits", () => {
  assert.equal(matchNames(line(["a", "b"], 0)), "a – b");
  assert.equal(matchNames(line(["a", "b", "c"], 1)), "a – b – c and 1 more bot");
  assert.equal(matchNames(line(["a", "b", "c"], 2)), "a – b – c and 2 more bots");
});
