import assert from "node:assert/strict";
import { test } from "node:test";

import { tabForKey } from "../../../static/js/site/tabs.js";

test("arrow keys wrap around, Home and End go to the ends, other keys do nothing", () => {
  assert.equal(tabForKey("ArrowRight", 2, 3), 0);
  assert.equal(tabForKey("ArrowLeft", 0, 3), 2);
  assert.equal(tabForKey("Home", 2, 3), 0);
  assert.equal(tabForKey("End", 0, 3), 2);
  assert.equal(tabForKey("x", 0, 3), null);
  assert.equal(tabForKey("ArrowRight", -1, 3), null);
});
