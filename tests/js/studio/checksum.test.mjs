import assert from "node:assert/strict";
import { test } from "node:test";

import { checksum } from "#studio/checksum.js";

test("checksums of texts are those of the server", () => {
  assert.equal(checksum(""), 0);
  assert.equal(checksum("x = 1\n# 黑白棋\n"), 3841864076);
});
