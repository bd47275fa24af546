import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";
import { amount, withNote } from "../../../static/js/matches/evaluation.js";

test("a lead that includes empty squares says so", () => {
  const note = { since: 7, text: "The rest counts, too." };
  assert.equal(withNote("Mia leads by 64 discs", note, 9), "Mia leads by 64 discs. The rest counts, too.");
  assert.equal(withNote("Mia leads by 3 discs", note, 6), "Mia leads by 3 discs");
  assert.equal(withNote("Even", null, 9), "Even");
});

test("leads have no sign and at most one decimal", () => {
  assert.equal(amount(-1004.2), "1004");
  assert.equal(amount(0.44), "0.4");
});
