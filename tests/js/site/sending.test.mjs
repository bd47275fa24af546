import assert from "node:assert/strict";
import test from "node:test";

import { allowResending, isRepetition } from "#site/sending.js";

test("a double click uploads only once", () => {
  const form = { method: "post" };
  assert.equal(isRepetition(form, 0), false);
  assert.equal(isRepetition(form, 150), true);
  assert.equal(isRepetition({ method: "post" }, 150), false, "another form is another matter");
});

test("after a wait or a return to the page, the form can be sent again", () => {
  const form = { method: "post" };
  isRepetition(form, 0);
  assert.equal(isRepetition(form, 10_001), false);
  allowResending(form);
  assert.equal(isRepetition(form, 10_002), false);
});

test("a search may be repeated", () => {
  const form = { method: "get" };
  assert.deepEqual([isRepetition(form, 0), isRepetition(form, 1)], [false, false]);
});
