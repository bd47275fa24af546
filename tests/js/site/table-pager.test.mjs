import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";

const { pageStarts, rangeText } = await import("#site/table-pager.js");

test("a page holds as many whole rows as fit", () => {
  assert.deepEqual(pageStarts([40, 40, 40, 40, 40], 100), [0, 2, 4]);
  assert.deepEqual(pageStarts([40, 40, 40, 40], 160), [0]);
});

test("rows of different heights are not cut off", () => {
  assert.deepEqual(pageStarts([30, 80, 30, 30, 30], 100), [0, 1, 2]);
});

test("a row that is too high has a page of its own", () => {
  assert.deepEqual(pageStarts([30, 200, 30], 100), [0, 1, 2]);
  assert.deepEqual(pageStarts([30, 30], -5), [0, 1]); // before layout
});

test("a page has at most as many rows as wanted", () => {
  assert.deepEqual(pageStarts([1, 1, 1, 1, 1], 100, 2), [0, 2, 4]);
});

test("without rows, there is one empty page", () => {
  assert.deepEqual(pageStarts([], 100), [0]);
});

test("rows of equal height are spread over the pages, so that the last one does not have a single row", () => {
  assert.deepEqual(pageStarts(Array(28).fill(10), 90), [0, 7, 14, 21]);
  assert.deepEqual(pageStarts(Array(13).fill(10), 40), [0, 4, 7, 10]);
});

test("removed players at the end of a table are not counted", () => {
  assert.equal(rangeText(0, 12, 61), "1–12 of 61");
  assert.equal(rangeText(48, 62, 61), "49–61 of 61");
});
