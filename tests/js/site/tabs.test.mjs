import assert from "node:assert/strict";
import { test } from "node:test";

import { target } from "../../../static/js/site/tabs.js";

test("arrow keys wrap around, Home and End go to the ends, other keys do nothing", () => {
  assert.equal(target("ArrowRight", 2, 3), 0);
  assert.equal(target("ArrowLeft", 0, 3), 2);
  assert.equal(target("Home", 2, 3), 0);
  assert.equal(target("End", 0, 3), 2);
  assert.equal(target("x", 0, 3), null);
  assert.equal(target("ArrowRight", -1, 3), null);
});
