import assert from "node:assert/strict";
import { test } from "node:test";

import { printedAt, shortened } from "../../../static/js/matches/printed.js";

/** @type {[number, string][]} */
const printed = [
  [0, "started"],
  [3, "three"],
  [5, "five"],
];

test("a turn of the other seat shows the latest output before it", () => {
  assert.deepEqual(printedAt(printed, 4), [3, "three"]);
  assert.deepEqual(printedAt(printed, 5), [5, "five"]);
  assert.deepEqual(printedAt(printed, 2), [0, "started"]);
});

test("before the first output there is nothing", () => assert.equal(printedAt([[3, "three"]], 2), null));

test("the output beside the board has one line", () => {
  assert.equal(shortened("  depth 4\n\nbest <b>e6</b>\n"), "depth 4 best <b>e6</b>");
  assert.equal(shortened("x".repeat(1000)).length, 160);
});
