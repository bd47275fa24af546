// What the standings say about shared ranks.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../js/words.mjs";
import { numbersIn } from "../../../js/numbers.mjs";

globalThis.document = /** @type {any} */ ({
  documentElement: { lang: "en" },
  createElement: () => ({
    attributes: {},
    setAttribute(name, value) {
      this.attributes[name] = value;
    },
    append() {},
  }),
});

const { movement, rankText } = await import("../../../../arena/games/golden_point/rooms/static/rooms/standings.js");
const { moreText, personsText } = await import("../../../../arena/games/golden_point/rooms/static/rooms/podium.js");

test("the reader's rank says how many others share it", () => {
  const own = { rank: 8, shared: 49, players: 61, score: 0 };
  assert.deepEqual(numbersIn(rankText(own)), [8, 61, 49, 0]);
  assert.deepEqual(numbersIn(rankText({ ...own, shared: 1 })), [8, 61, 1, 0]);
  assert.deepEqual(numbersIn(rankText({ ...own, shared: 0 })), [8, 61, 0]);
});

test("only a fall to an unshared rank is marked as bad", () => {
  const sign = (moved, isShared) => /** @type {any} */ (movement(moved, isShared)).attributes["data-sign"];
  assert.equal(sign(-1, false), "down");
  assert.equal(sign(-1, true), undefined);
  assert.equal(sign(2, true), "up");
});

test("players who share the last place on the podium without being named are counted", () => {
  const podium = { places: [[1, "Bob", 9], [2, "Ada", 3]], more: 0, persons: [], more_persons: 0, players: 12 };
  assert.equal(moreText(/** @type {any} */ (podium)), "");
  assert.equal(moreText(/** @type {any} */ ({ ...podium, more: 10 })), "and 10 more in 2nd place");
});

test("all people who share the best place are named", () => {
  const podium = { places: [], more: 0, persons: [], more_persons: 0, persons_tied: false, players: 29 };
  assert.equal(personsText(podium), "");
  const one = personsText({ ...podium, persons: [[4, "Yuki", 6]] });
  assert.match(one, /Yuki/);
  assert.deepEqual(numbersIn(one), [4, 29, 6]);
  assert.notEqual(personsText({ ...podium, persons: [[4, "Yuki", 6]], persons_tied: true }), one);
  /** @type {[number, string, number][]} */
  const both = [[4, "Yuki", 6], [4, "Mia", 6]];
  assert.match(personsText({ ...podium, persons: both, persons_tied: true }), /Yuki, Mia/);
  assert.deepEqual(numbersIn(personsText({ ...podium, persons: both, persons_tied: true })), [4, 29, 6]);
  assert.deepEqual(numbersIn(personsText({ ...podium, persons: both, persons_tied: true, more_persons: 12 })), [12, 4, 29, 6]);
});
