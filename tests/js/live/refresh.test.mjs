import assert from "node:assert/strict";
import { mock, test } from "node:test";

const answers = [];
/** The parts of the browser that a test replaces. */
const browser = /** @type {any} */ (globalThis);
browser.location = { href: "http://arena.example/" };
browser.document = { querySelector: () => ({}), querySelectorAll: () => [], dispatchEvent: () => true };
browser.DOMParser = class {
  parseFromString() {}
};
globalThis.fetch = () => new Promise((answer) => answers.push(() => answer(new Response(""))));

const { refreshParts } = await import("#live/refresh.js");

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("calls during a fetch share one later fetch", async () => {
  const first = refreshParts();
  const second = refreshParts();
  const third = refreshParts();
  assert.equal(answers.length, 1);
  answers.shift()();
  await first;
  await settle();
  assert.equal(answers.length, 1);
  assert.equal(second, third);
  answers.shift()();
  await second;
  const fourth = refreshParts();
  assert.equal(answers.length, 1);
  answers.shift()();
  await fourth;
});

test("a page that the site could not render is fetched again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [503, 502, 200];
  let drawn = 0;
  globalThis.fetch = async () => new Response("", { status: answers.shift() });
  browser.DOMParser = class {
    parseFromString() {
      drawn += 1;
    }
  };
  const done = refreshParts();
  for (let step = 0; step < 10; step += 1) {
    await settle();
    mock.timers.tick(1_000);
  }
  await done;
  assert.deepEqual([answers, drawn], [[], 1]);
});

test("boxes stay scrolled when their part is replaced", async () => {
  const box = (left) => ({ scrollLeft: left, scrollTop: 0, scrollTo: mock.fn() });
  const partWith = (...boxes) => ({
    ...box(0),
    id: "bracket",
    contains: () => false,
    querySelectorAll: (selector) => (selector.includes("tabindex") ? boxes : []),
    replaceWith: () => {},
  });
  const old = partWith(box(120));
  const fresh = box(0);
  const drawn = partWith(fresh);
  browser.document.querySelectorAll = () => [old];
  browser.document.adoptNode = (node) => node;
  browser.CustomEvent = class {};
  browser.HTMLAnchorElement = class {};
  browser.DOMParser = class {
    parseFromString = () => ({ getElementById: () => drawn });
  };
  globalThis.fetch = async () => new Response("");
  await refreshParts();
  assert.equal(fresh.scrollTo.mock.calls[0].arguments[0].left, 120);
});
