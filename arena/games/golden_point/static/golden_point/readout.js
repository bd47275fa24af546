/** A golden-number chart in words and figures: the tooltip at the pointer, and the table of rounds. */
import { seatSwatch } from "#charts/seat-swatches.js";
import { element } from "#site/dom.js";
import { fourDecimals, nameList, playedNumbers } from "#site/format.js";
import { PlayerColumns } from "./player-columns.js";

const NEAREST_SHOWN = 6;

/** @typedef {import("./points.js").RoundView & {nearest: number[], farthest: number[], scores: number[], gains: number[], isRough?: boolean}} Round `isRough`: only some numbers are known */

/**
 * Return the nearest seats in order, plus the chosen ones and the farthest one, whatever their order.
 * @param {Round} round
 * @param {ReadonlySet<number>} chosen
 * @param {ReadonlySet<number>} farthest
 */
function listed(round, chosen, farthest) {
  const golden = round.golden ?? 0;
  const distance = (/** @type {number[]} */ numbers) => Math.min(...numbers.map((number) => Math.abs(number - golden)));
  const present = round.numbers.flatMap((numbers, seat) => (numbers ? [{ seat, distance: distance(numbers) }] : []));
  present.sort((a, b) => a.distance - b.distance);
  const far = present.find(({ seat }) => farthest.has(seat))?.seat;
  return present.filter(({ seat }, place) => place < NEAREST_SHOWN || chosen.has(seat) || seat === far).map(({ seat }) => seat);
}

/**
 * Return the tooltip for a round: the golden number and the nearest players.
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {ReadonlySet<number>} chosen
 * @returns {Node[]}
 */
export function roundTip(round, seats, chosen) {
  const nearest = new Set(round.nearest);
  const farthest = new Set(round.farthest);
  const rows = (round.isRough ? [] : listed(round, chosen, farthest)).map((seat) =>
    element(
      "li",
      { class: nearest.has(seat) ? "is-nearest" : farthest.has(seat) ? "is-farthest" : null },
      seatSwatch(seat),
      element("span", { class: "truncate" }, seats[seat]?.name ?? ""),
      element("span", { class: "number" }, playedNumbers(round.numbers[seat])),
    ),
  );
  return [
    element("div", {}, interpolate(gettext("Round %s"), [round.round])),
    element("div", { class: "chart__tip-value" }, round.golden === null ? "–" : fourDecimals(round.golden)),
    element("ol", {}, ...rows),
  ];
}

/** The rounds in view as a table, newest first, as a text alternative; paged if there are many players. */
export class RoundTable {
  /** @param {{name: string}[]} seats */
  constructor(seats) {
    this.head = element("tr");
    this.body = element("tbody");
    this.columns = new PlayerColumns();
    this.range = element("span", { "aria-live": "polite" });
    this.earlier = this.#pageButton("◀", gettext("Earlier players"), -1);
    this.later = this.#pageButton("▶", gettext("More players"), 1);
    this.pages = element("div", { class: "cluster small", hidden: true }, this.earlier, this.range, this.later);
    this.root = element(
      "div",
      { class: "chart__reading", hidden: true },
      this.pages,
      element(
        "div",
        { class: "chart__data table-wrap", tabindex: "0", role: "group", "aria-label": gettext("Rounds") },
        element("table", { class: "table" }, element("thead", {}, this.head), this.body),
      ),
    );
    /** @type {string[]} */
    this.names = [];
    /** @type {number[]} the rounds that were drawn while only some of their numbers were known */
    this.rough = [];
    this.first = 1;
    this.last = 0;
    /** @type {[Round[], import("./round-window.js").Span] | undefined} the rounds and the span of the open table */
    this.seen = undefined;
    this.#clear();
    this.seat(seats);
  }

  /** @param {{name: string}[]} seats the current ones */
  seat(seats) {
    if (seats.length === this.names.length && seats.every((seat, place) => seat.name === this.names[place])) return;
    this.names = seats.map((seat) => seat.name);
    this.columns.update(this.names.length);
    this.#drawHead();
    this.#clear();
  }

  /** @param {string} sign @param {string} label @param {number} pages to move by; negative: back */
  #pageButton(sign, label, pages) {
    const attributes = { type: "button", class: "button button--small", "aria-label": label, title: label };
    const made = /** @type {HTMLButtonElement} */ (element("button", attributes, sign));
    made.addEventListener("click", () => {
      this.columns.turn(pages);
      this.#drawHead();
      this.#clear();
      if (this.seen) this.update(...this.seen);
    });
    return made;
  }

  #drawHead() {
    const { first, last, players, isWhole, isFirst, isLast } = this.columns;
    this.pages.hidden = isWhole;
    this.earlier.disabled = isFirst;
    this.later.disabled = isLast;
    this.range.textContent = interpolate(gettext("Players %(first)s to %(last)s of %(players)s"), { first: first + 1, last, players }, true);
    const head = [gettext("Round"), gettext("Golden number"), gettext("Nearest"), gettext("Farthest"), ...this.names.slice(first, last)];
    this.head.replaceChildren(...head.map((text) => element("th", { scope: "col" }, text)));
  }

  /**
   * Add and remove rows at both ends.
   * @param {Round[]} rounds indexed by round
   * @param {import("./round-window.js").Span} span
   */
  update(rounds, { first, last }) {
    this.seen = [rounds, { first, last }];
    if (this.root.hidden) return;
    const isOther = this.body.firstChild && (this.drawn !== rounds[this.last] || this.rough.some((round) => !rounds[round]?.isRough));
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
    this.rough.length = 0;
    this.first = 1;
    this.last = 0;
    /** @type {Round | undefined} the newest round as it was drawn */
    this.drawn = undefined;
  }

  /** @param {number} number @param {Round | undefined} round */
  #row(number, round) {
    const names = (/** @type {number[] | undefined} */ seats) => nameList((seats ?? []).map((seat) => this.names[seat]));
    const golden = round?.golden ?? null;
    const { first, last } = this.columns;
    if (round?.isRough) this.rough.push(number);
    const cells = Array.from({ length: last - first }, (_, place) => element("td", { class: "number" }, playedNumbers(round?.numbers[first + place])));
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, String(number)),
      element("td", { class: "number" }, golden === null ? "–" : fourDecimals(golden)),
      element("td", {}, names(round?.nearest)),
      element("td", {}, names(round?.farthest)),
      ...cells,
    );
  }
}
