import assert from "node:assert/strict";
import { test } from "node:test";

import { MatchModel } from "#matches/match-model.js";
import { SeatClocks, clockText } from "#matches/seat-clocks.js";

const turn = (seat, seconds, toMove) => ({ moves: seat === null ? [] : [{ seat, seconds }], view: { to_move: toMove } });
const turns = [turn(null, 0, "X"), turn(0, 5, "O"), turn(1, 2, "X"), turn(0, 1.5, "O")];

test("clock times are short", () => {
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(65.9), "1:05");
  assert.equal(clockText(3723), "1:02:03");
  assert.equal(clockText(9.44, { tenths: true }), "0:09.4");
  assert.equal(clockText(-3, { tenths: true }), "0:00.0");
});

/**
 * A fake element that shows a clock.
 * @returns {any}
 */
function place() {
  /** @type {any} */
  const shown = { textContent: "", classList: { toggle: (name, on) => (shown[name] = on) } };
  return shown;
}

test("only the clock of the seat to move runs, at the newest turn", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let time = 0;
  const [black, white] = [place(), place()];
  const seats = [{ clock: 60 }, { clock: null }];
  /** @type {any} */
  const model = { match: { status: "running" }, isOpen: true, seats, turns, last: 3, since: 4, used: MatchModel.prototype.used };
  const clocks = new SeatClocks([[black], [white]], model, (view) => ["XO".indexOf(view.to_move)], () => time);
  clocks.show(3);
  assert.deepEqual([black.textContent, white.textContent], ["0:53", "0:06"], "asked for four seconds already");
  time += 1000;
  context.mock.timers.tick(1000);
  assert.deepEqual([black.textContent, white.textContent], ["0:53", "0:07"]);
  assert.deepEqual([black["is-running"], white["is-running"]], [false, true]);
  clocks.show(1);
  assert.deepEqual([black.textContent, white.textContent], ["0:55", "0:00"], "looking back, nothing runs");
  model.isOpen = false;
  model.match.status = "finished";
  clocks.show(3);
  assert.equal(white.textContent, "0:02");
});

test("waiting for a match to resume after a take-back costs no time", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let time = 0;
  const black = place();
  /** @type {any} */
  const model = { match: { status: "queued" }, isOpen: true, seats: [{ clock: 60 }], turns: turns.slice(0, 1), last: 0, used: MatchModel.prototype.used };
  const clocks = new SeatClocks([[black]], model, (view) => ["XO".indexOf(view.to_move)], () => time);
  time += 5000;
  model.match.status = "running";
  clocks.show(0);
  time += 1000;
  context.mock.timers.tick(1000);
  assert.equal(black.textContent, "0:59");
});
