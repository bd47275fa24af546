import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";
import { amount, noted } from "../../../static/js/matches/evaluation.js";

test("a lead that includes empty squares says so", () => {
  const note = { since: 7, text: "Empty squares count for the winner." };
  assert.equal(noted("Mia leads by 64 discs", note, 9), "Mia leads by 64 discs. Empty squares count for the winner.");
  assert.equal(noted("Mia leads by 3 discs", note, 6), "Mia leads by 3 discs");
  assert.equal(noted("Even", null, 9), "Even");
});

test("large leads have thousands separators", () => {
  assert.equal(amount(-1004.2), "1,004");
  assert.equal(amount(0.44), "0.4");
});
