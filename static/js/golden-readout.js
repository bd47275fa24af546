/** What a golden-number chart says in words and figures: the tip at the pointer, the table of all rounds. */
import { element } from "./dom.js";
import { goldenNumber, nameList, playedNumber } from "./format.js";
import { hueClass, isHollow } from "./seat-signs.js";

const NEAREST_SHOWN = 6;
const COLUMNS_SHOWN = 30;

/** @typedef {import("./golden-points.js").RoundView & {nearest: number[], farthest: number[], scores: number[], gains: number[]}} Round */

/** @param {number} seat @returns {HTMLElement} the seat's sign as in the chart */
export function seatSign(seat) {
  return element("span", { class: `scores__sign ${hueClass(seat)}${isHollow(seat) ? " is-hollow" : ""}`, "aria-hidden": "true" });
}

/** @param {number[] | null | undefined} numbers @returns {string} */
export function numbersText(numbers) {
  return numbers ? numbers.map(playedNumber).join(" · ") : "–";
}

/** Seats by how near they came; the chosen ones and the farthest wherever they stand. */
function listed(round, chosen, farthest) {
  const distance = (seat) => Math.min(...round.numbers[seat].map((number) => Math.abs(number - round.golden)));
  const present = round.numbers.flatMap((numbers, seat) => (numbers ? [{ seat, distance: distance(seat) }] : []));
  present.sort((a, b) => a.distance - b.distance);
  const far = present.find(({ seat }) => farthest.has(seat))?.seat;
  return present.filter(({ seat }, place) => place < NEAREST_SHOWN || chosen.has(seat) || seat === far).map(({ seat }) => seat);
}

/**
 * The tip of one round: the golden number and who came nearest.
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {ReadonlySet<number>} chosen
 * @returns {Node[]}
 */
export function roundTip(round, seats, chosen) {
  const nearest = new Set(round.nearest);
  const farthest = new Set(round.farthest);
  const rows = listed(round, chosen, farthest).map((seat) =>
    element(
      "li",
      { class: nearest.has(seat) ? "is-nearest" : farthest.has(seat) ? "is-farthest" : null },
      seatSign(seat),
      element("span", { class: "truncate" }, seats[seat]?.name ?? ""),
      element("span", { class: "number" }, numbersText(round.numbers[seat])),
    ),
  );
  return [
    element("div", {}, interpolate(gettext("Round %s"), [round.round])),
    element("div", { class: "chart__tip-golden" }, goldenNumber(round.golden)),
    element("ol", {}, ...rows),
  ];
}

/** The rounds in view as a table, newest first, for those who read rather than look. */
export class RoundTable {
  /** @param {{name: string}[]} seats */
  constructor(seats) {
    this.head = element("tr");
    this.body = element("tbody");
    this.root = element(
      "div",
      { class: "chart__data table-wrap", tabindex: "0", role: "region", "aria-label": gettext("Rounds"), hidden: true },
      element("table", { class: "table" }, element("thead", {}, this.head), this.body),
    );
    /** @type {string[]} */
    this.names = [];
    this.#clear();
    this.seat(seats);
  }

  /** @param {{name: string}[]} seats those there are now */
  seat(seats) {
    if (seats.length === this.names.length && seats.every((seat, place) => seat.name === this.names[place])) return;
    this.names = seats.map((seat) => seat.name);
    this.columns = Math.min(seats.length, COLUMNS_SHOWN);
    const head = [gettext("Round"), gettext("Golden number"), gettext("Nearest"), gettext("Farthest"), ...this.names.slice(0, this.columns)];
    this.head.replaceChildren(...head.map((text) => element("th", { scope: "col" }, text)));
    this.#clear();
  }

  /**
   * Rows come and go at both ends.
   * @param {Round[]} rounds indexed by round
   * @param {import("./golden-window.js").Span} span
   */
  update(rounds, { first, last }) {
    if (this.root.hidden) return;
    const isOther = this.body.firstChild && this.drawn !== rounds[this.last];
    if (isOther || first > this.last || last < this.first) this.#clear();
    if (!this.body.firstChild) {
      this.first = first;
      this.last = first - 1;
    }
    for (; this.last > last; this.last -= 1) this.body.firstChild?.remove();
    for (; this.first < first; this.first += 1) this.body.lastChild?.remove();
    while (this.last < last) this.body.prepend(this.#row((this.last += 1), rounds[this.last]));
    while (this.first > first) this.body.append(this.#row((this.first -= 1), rounds[this.first]));
    this.drawn = rounds[this.last];
  }

  #clear() {
    this.body.replaceChildren();
    this.first = 1;
    this.last = 0;
    /** @type {Round | undefined} the newest round as it was drawn */
    this.drawn = undefined;
  }

  #row(number, round) {
    const names = (seats) => nameList((seats ?? []).map((seat) => this.names[seat]));
    const golden = round?.golden ?? null;
    const cells = Array.from({ length: this.columns }, (_, seat) => element("td", { class: "number" }, numbersText(round?.numbers[seat])));
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, String(number)),
      element("td", { class: "number" }, golden === null ? "–" : goldenNumber(golden)),
      element("td", {}, names(round?.nearest)),
      element("td", {}, names(round?.farthest)),
      ...cells,
    );
  }
}
