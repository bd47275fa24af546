import assert from "node:assert/strict";
import { test } from "node:test";

import { botChecksum, checksum } from "#studio/checksum.js";

const BOTH = 1445528416;

test("checksums of texts are those of the server", () => {
  assert.equal(checksum(""), 0);
  assert.equal(checksum("x = 1\n# 黑白棋\n"), 3841864076);
});

test("the checksum of all files depends on each text and path, but not on the order", () => {
  const [main, brain] = [{ path: "main.py", text: "x = 1\n" }, { path: "brain.py", text: "" }];
  assert.equal(botChecksum([main, brain]), BOTH);
  assert.equal(botChecksum([brain, main]), BOTH);
  assert.notEqual(botChecksum([main, { ...brain, text: "y" }]), BOTH);
  assert.notEqual(botChecksum([main, { ...brain, path: "other.py" }]), BOTH);
});
