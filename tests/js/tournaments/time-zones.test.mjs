import assert from "node:assert/strict";
import { test } from "node:test";

import { zoneLabel } from "#tournaments/time-zones.js";

test("zones are named in the reader's language", () => {
  assert.match(zoneLabel("Asia/Shanghai", "zh-hans"), /^Asia\/Shanghai · \p{Script=Han}+$/u);
  assert.match(zoneLabel("America/New_York", "zh-hans"), /^America\/New York · \p{Script=Han}+$/u);
});

test("zones without a name keep their IANA name", () => {
  assert.equal(zoneLabel("UTC", "zh-hans"), "UTC");
  assert.throws(() => zoneLabel("Nowhere/Else", "zh-hans"), RangeError);
});
