import assert from "node:assert/strict";
import test from "node:test";

import { forget, isRepetition } from "#site/sending.js";

test("the second click of a double click is no second upload", () => {
  const form = { method: "post" };
  assert.equal(isRepetition(form, 0), false);
  assert.equal(isRepetition(form, 150), true);
  assert.equal(isRepetition({ method: "post" }, 150), false, "another form is another matter");
});

test("who waited, or came back to the page, sends again", () => {
  const form = { method: "post" };
  isRepetition(form, 0);
  assert.equal(isRepetition(form, 10_001), false);
  forget(form);
  assert.equal(isRepetition(form, 10_002), false);
});

test("a search may be repeated", () => {
  const form = { method: "get" };
  assert.deepEqual([isRepetition(form, 0), isRepetition(form, 1)], [false, false]);
});
