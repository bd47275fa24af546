// The names beside a room's chart: who was nearest and farthest in the last round.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../js/words.mjs";

const created = (tag) => ({ tag, text: "", setAttribute() {}, append(...inside) { this.text += inside.map((one) => one.text ?? one).join(" "); } });
globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" }, createElement: created });

const { namesOf } = await import("../../../../arena/games/golden_point/rooms/static/rooms/room-status.js");
const seats = Array.from({ length: 8 }, (_, seat) => ({ name: `Player ${seat}` }));
const shown = (marks, gains = []) => namesOf(marks, seats, { gains }).map((/** @type {any} */ one) => [one.tag, one.text]);

test("a round in which all numbers tie says that nobody was farthest, in a list item", () => {
  assert.deepEqual(shown([]), [["li", "Nobody"]]);
});

test("a player is shown with their number and what it brought", () => {
  assert.deepEqual(shown([{ seat: 1, number: 12.5 }], [0, 3]), [["li", "Player 1 12.5 +3"]]);
});

test("a long list says how many more there are", () => {
  const marks = seats.map((_, seat) => ({ seat, number: 50 }));
  assert.deepEqual(shown(marks).at(-1), ["li", "and 2 more"]);
});
