/**
 * The seats' clocks: the time that each has used or, if it has its own clock, the time that it has left.
 *
 * Invariant: a clock shows the time for the turns up to the shown one; it runs only at the newest turn of a running
 * match, for the seats whose turn it is.
 */
import { setText } from "../site/dom.js";

const TICK_MS = 200;

/** @param {number} seconds @returns {string} 9:05, 0:07, 1:02:03; with `tenths`, 0:07.5 below ten seconds */
export function clockText(seconds, { tenths = false } = {}) {
  if (tenths && seconds < 10) return `0:0${Math.max(0, seconds).toFixed(1)}`;
  const whole = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${hours ? two(Math.floor((whole % 3600) / 60)) : Math.floor(whole / 60)}:${two(whole % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

export class SeatClocks {
  /**
   * @param {HTMLElement[][]} shown by seat, the elements that show its clock
   * @param {import("./match-model.js").MatchModel} model
   * @param {(view: any) => number[]} seatsToMove the seats whose turn it is in a view
   * @param {() => number} now milliseconds on a monotonic clock
   */
  constructor(shown, model, seatsToMove, now = () => performance.now()) {
    this.shown = shown;
    this.model = model;
    this.seatsToMove = seatsToMove;
    this.now = now;
    this.last = model.last;
    this.hasStarted = model.match.status === "running"; // a match that continues another one has turns before it starts
    this.since = now() - (model.since ?? 0) * 1000;
    this.index = model.last;
    this.timer = setInterval(() => this.#draw(), TICK_MS);
  }

  /** @param {number} index the shown turn */
  show(index) {
    const hasStarted = this.model.match.status === "running";
    if (this.model.last !== this.last || hasStarted !== this.hasStarted) {
      this.last = this.model.last;
      this.hasStarted = hasStarted;
      this.since = this.now();
    }
    this.index = index;
    if (!this.model.isOpen) clearInterval(this.timer);
    this.#draw();
  }

  #draw() {
    const { model, index } = this;
    const turn = model.match.status === "running" && index === model.last ? model.turns[index] : undefined;
    const toMove = turn ? this.seatsToMove(turn.view) : [];
    this.shown.forEach((places, seat) => {
      const { clock } = model.seats[seat];
      const runs = toMove.includes(seat);
      const seconds = model.used(seat, index) + (runs ? (this.now() - this.since) / 1000 : 0);
      for (const place of places) {
        setText(place, clock ? clockText(clock - seconds, { tenths: true }) : clockText(seconds));
        place.classList.toggle("is-running", runs);
        place.classList.toggle("is-short", Boolean(clock && clock - seconds < 30));
      }
    });
  }
}
