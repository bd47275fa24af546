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

/** Seats by how near they came, and the chosen ones wherever they stand. */
function listed(round, chosen) {
  const distance = (seat) => Math.min(...round.numbers[seat].map((number) => Math.abs(number - round.golden)));
  const present = round.numbers.flatMap((numbers, seat) => (numbers ? [{ seat, distance: distance(seat) }] : []));
  present.sort((a, b) => a.distance - b.distance);
  return present.filter(({ seat }, place) => place < NEAREST_SHOWN || chosen.has(seat)).map(({ seat }) => seat);
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
  const rows = listed(round, chosen).map((seat) =>
    element(
      "li",
      { class: nearest.has(seat) ? "is-nearest" : null },
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

/** The rounds as a table, newest first, made when a reader opens it. */
export class RoundTable {
  /** @param {{name: string}[]} seats */
  constructor(seats) {
    this.seats = seats.slice(0, COLUMNS_SHOWN);
    this.body = element("tbody");
    const head = [gettext("Round"), gettext("Golden number"), gettext("Nearest"), ...this.seats.map((seat) => seat.name)];
    this.root = element(
      "details",
      { class: "chart__data" },
      element("summary", {}, gettext("The chart as a table")),
      element(
        "div",
        { class: "table-wrap", tabindex: "0", role: "region", "aria-label": gettext("Rounds") },
        element(
          "table",
          { class: "table" },
          element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
          this.body,
        ),
      ),
    );
    this.names = seats.map((seat) => seat.name);
    this.count = 0;
    this.root.addEventListener("toggle", () => this.update(this.rounds ?? []));
  }

  /** @param {Round[]} rounds indexed by round */
  update(rounds) {
    if (rounds.length < this.count) this.clear();
    this.rounds = rounds;
    if (!(/** @type {HTMLDetailsElement} */ (this.root).open)) return;
    for (; this.count < rounds.length; this.count += 1) {
      const round = rounds[this.count];
      if (round && round.golden !== null) this.body.prepend(this.#row(round));
    }
  }

  clear() {
    this.body.replaceChildren();
    this.count = 0;
  }

  #row(round) {
    const nearest = nameList(round.nearest.map((seat) => this.names[seat]));
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, String(round.round)),
      element("td", { class: "number" }, goldenNumber(round.golden)),
      element("td", {}, nearest),
      ...this.seats.map((_, seat) => element("td", { class: "number" }, numbersText(round.numbers[seat]))),
    );
  }
}
