import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";
import { amount, parsed, withNote } from "../../../static/js/matches/evaluation.js";

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

test("one of a unit is singular", () => {
  const { unit } = /** @type {import("../../../static/js/matches/evaluation.js").Evaluation} */ (parsed('{"leads": [1], "units": ["disc", "discs"], "full": 24, "note": null}'));
  assert.deepEqual([1, 0.5, 2].map(unit), ["disc", "discs", "discs"]);
  assert.equal(parsed("null"), null);
});
