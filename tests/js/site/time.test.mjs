// Relative times: whole units, and calendar words from a day on.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../words.mjs";
import { relativeTime, spaceNumbers } from "#site/time.js";

const NOW = new Date(2026, 10, 23, 10, 0); // in the local time zone
const said = (language, day, hour, minute = 0, second = 0) => relativeTime(new Date(2026, 10, day, hour, minute, second), NOW, language);

test("units are whole", () => {
  assert.equal(said("en", 23, 9, 0, 31), "59 minutes ago");
  assert.equal(said("en", 23, 13, 55), "in 3 hours");
  assert.equal(said("en", 23, 9, 59, 15), "40 seconds ago");
  assert.equal(said("en", 23, 9, 59, 57), "just now");
  assert.equal(said("en", 23, 10, 0, 5), "now");
  assert.equal(said("zh-hans", 23, 9, 55), "5 分钟前");
  assert.equal(said("zh-hans", 23, 9, 59, 15), "40 秒前");
});

test("days are calendar days", () => {
  assert.equal(said("en", 24, 22), "tomorrow"); // in 36 hours
  assert.equal(said("zh-hans", 24, 22), "明天");
  assert.equal(said("zh-hans", 25, 11), "后天");
  assert.equal(said("en", 22, 1), "yesterday"); // 33 hours ago
  assert.equal(said("en", 21, 23), "2 days ago"); // 35 hours ago
});

test("longer spans are counted in whole units", () => {
  assert.equal(said("en", 14, 10), "1 week ago"); // nine days: "last week" would say less
  assert.equal(said("zh-hans", 14, 10), "1 周前");
  assert.equal(said("en", -8, 10), "1 month ago");
});

test("Chinese dates have spaces around numbers, English dates are unchanged", () => {
  assert.equal(spaceNumbers("2026年11月23日 04:05"), "2026 年 11 月 23 日 04:05");
  assert.equal(spaceNumbers("Nov 23, 2026, 4:05 AM"), "Nov 23, 2026, 4:05 AM");
});
