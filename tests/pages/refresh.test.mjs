import assert from "node:assert/strict";
import { test } from "node:test";

const asked = [];
globalThis.location = { href: "http://arena.example/" };
globalThis.document = { querySelector: () => ({}), querySelectorAll: () => [] };
globalThis.DOMParser = class {
  parseFromString() {}
};
globalThis.fetch = () => new Promise((answer) => asked.push(() => answer({ ok: true, text: async () => "" })));

const { refreshParts } = await import("../../static/js/live/refresh.js");

test("whoever asks during a fetch gets one that began later, and all of them the same", async () => {
  const first = refreshParts();
  const second = refreshParts();
  const third = refreshParts();
  assert.equal(asked.length, 1);
  asked.shift()();
  await first;
  await Promise.resolve();
  assert.equal(asked.length, 1);
  assert.equal(second, third);
  asked.shift()();
  await second;
  const fourth = refreshParts();
  assert.equal(asked.length, 1);
  asked.shift()();
  await fourth;
});
