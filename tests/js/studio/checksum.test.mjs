import assert from "node:assert/strict";
import { test } from "node:test";

import { botChecksum } from "#studio/checksum.js";

const CHINESE = 299601699;
const BOTH = 1445528416;

test("a checksum is that of the server", () => {
  assert.equal(botChecksum([]), 0);
  assert.equal(botChecksum([{ path: "main.py", text: "x = 1\n# 黑白棋\n" }]), CHINESE);
});

test("the checksum depends on each text and path, but not on the order", () => {
  const [main, brain] = [{ path: "main.py", text: "x = 1\n" }, { path: "brain.py", text: "" }];
  assert.equal(botChecksum([main, brain]), BOTH);
  assert.equal(botChecksum([brain, main]), BOTH);
  assert.notEqual(botChecksum([main, { ...brain, text: "y" }]), BOTH);
  assert.notEqual(botChecksum([main, { ...brain, path: "other.py" }]), BOTH);
});
