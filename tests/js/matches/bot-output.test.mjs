import assert from "node:assert/strict";
import { test } from "node:test";

import { outputAt, shortened } from "../../../static/js/matches/bot-output.js";

/** @type {[number, string][]} */
const output = [
  [0, "started"],
  [3, "three"],
  [5, "five"],
];

test("a turn of the other seat shows the latest output before it", () => {
  assert.deepEqual(outputAt(output, 4), [3, "three"]);
  assert.deepEqual(outputAt(output, 5), [5, "five"]);
  assert.deepEqual(outputAt(output, 2), [0, "started"]);
});

test("before the first output there is nothing", () => assert.equal(outputAt([[3, "three"]], 2), null));

test("the output beside the board has one line", () => {
  assert.equal(shortened("  depth 4\n\nbest <b>e6</b>\n"), "depth 4 best <b>e6</b>");
  assert.equal(shortened("x".repeat(1000)).length, 160);
});
