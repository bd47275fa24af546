import assert from "node:assert/strict";
import test from "node:test";

import { allowResubmission, isDoubleSubmission } from "#site/double-submission.js";

test("a double click uploads only once", () => {
  const form = { method: "post" };
  assert.equal(isDoubleSubmission(form, 0), false);
  assert.equal(isDoubleSubmission(form, 150), true);
  assert.equal(isDoubleSubmission({ method: "post" }, 150), false, "another form is another matter");
});

test("after a wait or a return to the page, the form can be sent again", () => {
  const form = { method: "post" };
  isDoubleSubmission(form, 0);
  assert.equal(isDoubleSubmission(form, 10_001), false);
  allowResubmission(form);
  assert.equal(isDoubleSubmission(form, 10_002), false);
});

test("a search may be repeated", () => {
  const form = { method: "get" };
  assert.deepEqual([isDoubleSubmission(form, 0), isDoubleSubmission(form, 1)], [false, false]);
});
