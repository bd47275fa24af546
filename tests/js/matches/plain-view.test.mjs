// The fallback view for games without their own, without a browser: elements are looked up by their selectors.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });
await import("../words.mjs");
const { MatchModel } = await import("#matches/match-model.js");
const { mount } = await import("#matches/plain-view.js");

const SEATS = ["Ann", "Bob"].map((name, index) => ({ index, name }));
const TURNS = [{ number: 0, view: { left: 3 }, moves: [] }, { number: 1, view: { left: 0 }, moves: [{ seat: 0, move: 3 }] }];

/**
 * A fake part that creates each element when it is first looked up.
 * @returns {any}
 */
function part() {
  /** @type {any} */
  const made = {};
  return { made, querySelector: (selector) => (made[selector] ??= { textContent: "–" }) };
}

/** @returns {any} */
function mounted(outcome) {
  const status = outcome ? "finished" : "running";
  const model = new MatchModel(/** @type {any} */ ({ seq: 1, match: { id: 1, status }, seats: SEATS, turns: TURNS, outcome, reader: null }));
  const [display, side] = [part(), part()];
  return { display, side, view: mount({ display, side }, model) };
}

test("a turn is shown as JSON and described in a sentence", () => {
  const { display, side, view } = mounted(null);
  view.show(1);
  assert.deepEqual(JSON.parse(display.made.pre.textContent), { left: 0 });
  assert.match(view.sentence(1), /Ann\b.*\b3\b/);
  assert.deepEqual(side.made, {}, "no points before the end");
});

test("the seats' points appear at the end", () => {
  const { side, view } = mounted({ ranks: [1, 2], points: [1, 0], termination: "completed", winner: 0 });
  view.show(1);
  assert.deepEqual(Object.entries(side.made).map(([key, one]) => [key, one.textContent]), [
    ['[data-points="0"]', "1"],
    ['[data-points="1"]', "0"],
  ]);
});
