// What the standings say about shared places.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../js/words.mjs";

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

const { movement, placeText } = await import("../../../../arena/games/golden_point/rooms/static/rooms/standings.js");
const { personsText } = await import("../../../../arena/games/golden_point/rooms/static/rooms/podium.js");

test("the reader's place says how many others share it", () => {
  const place = { rank: 8, shared: 49, players: 61, score: 0 };
  assert.equal(placeText(place), "You are 8th of 61, shared with 49 others, 0 points");
  assert.match(placeText({ ...place, shared: 1 }), /shared with 1 other,/);
  assert.equal(placeText({ ...place, shared: 0 }), "You are 8th of 61, 0 points");
});

test("only a fall to an own place is marked as bad", () => {
  const sign = (moved, isShared) => /** @type {any} */ (movement(moved, isShared)).attributes["data-sign"];
  assert.equal(sign(-1, false), "down");
  assert.equal(sign(-1, true), undefined);
  assert.equal(sign(2, true), "up");
});

test("all people who share the best place are named", () => {
  const podium = { places: [], more: 0, persons: [], players: 29 };
  assert.equal(personsText(podium), "");
  assert.equal(personsText({ ...podium, persons: [[4, "Yuki", 6]] }), "Best human player: Yuki, 4th of 29, 6 points");
  /** @type {[number, string, number][]} */
  const both = [[4, "Yuki", 6], [4, "Mia", 6]];
  assert.equal(personsText({ ...podium, persons: both }), "Best human players: Yuki, Mia, 4th of 29, 6 points each");
});
