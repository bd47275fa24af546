import assert from "node:assert/strict";
import { test } from "node:test";

import { target } from "../../../static/js/site/tabs.js";

test("arrows go round, Home and End to the ends, other keys nowhere", () => {
  assert.equal(target("ArrowRight", 2, 3), 0);
  assert.equal(target("ArrowLeft", 0, 3), 2);
  assert.equal(target("Home", 2, 3), 0);
  assert.equal(target("End", 0, 3), 2);
  assert.equal(target("x", 0, 3), null);
  assert.equal(target("ArrowRight", -1, 3), null);
});
