/**
 * The what-if calculation for different numbers, computed as they are typed. Without this script, the form is
 * submitted.
 */
import { seatSwatch } from "#charts/seat-swatches.js";
import { isValid, scoreRound } from "../../../static/golden_point/rules.js";
import { element, pageData, part, setText } from "#site/dom.js";
import { fourDecimals, playedNumbers, points } from "#site/format.js";
import { send } from "#site/requests.js";

const MAX_TRIES = 4;
const PAUSE_MS = 250; // after the last keystroke, before another round is fetched

/** @typedef {{number: number, numbers: (number[] | null)[], gains: number[], golden: number, totals: number[], wins: ({low: number, best: number, high: number, times: number} | null)[]}} Round */

class WhatIf {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.form = /** @type {HTMLFormElement} */ (root.querySelector("form"));
    /** @type {string[]} */
    this.players = pageData("what-if-players");
    /** @type {Round} */
    this.round = pageData("what-if-round");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#compute();
    });
    this.form.addEventListener("input", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target)));
    this.#compute();
  }

  /** @param {string} name @returns {HTMLInputElement | null} */
  #field(name) {
    return this.form.querySelector(`[name="${name}"]`);
  }

  get #player() {
    return Number(this.#field("player")?.value);
  }

  /** @param {HTMLInputElement} field */
  #changed(field) {
    if (field.name === "round") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.#fetch(Number(field.value)), PAUSE_MS);
    } else if (field.name === "player") {
      this.#fill();
      this.#compute();
    } else this.#compute();
  }

  /** @param {number} number the round to load */
  async #fetch(number) {
    if (!Number.isInteger(number) || number < 1 || number === this.round.number) return;
    const address = (this.root.dataset.rounds ?? "").replace("rounds/0.json", `rounds/${number}.json`);
    const isWanted = () => Number(this.#field("round")?.value) === number;
    const answer = await send(address, {}, { tries: MAX_TRIES, isWanted });
    if (!isWanted()) return;
    if (answer.state !== "done") {
      const isMissing = answer.state === "refused" && answer.status === 404;
      this.#showMessage(isMissing ? gettext("This round does not exist. Choose another round.") : gettext("The site did not respond. Try again."));
      return;
    }
    this.round = answer.body;
    this.#fill();
    this.#compute();
  }

  /** Fill in the numbers that the player submitted in this round. */
  #fill() {
    const own = this.round.numbers[this.#player] ?? [];
    for (const [at, name] of ["x", "y"].entries()) {
      const field = this.#field(name);
      if (field) field.value = own[at] === undefined ? "" : String(own[at]);
    }
  }

  #showWins() {
    const wins = this.round.wins[this.#player];
    const [low, best, high] = wins ? [wins.low, wins.best, wins.high].map(fourDecimals) : [];
    const text =
      wins?.times === 2
        ? gettext("Any number from %(low)s to %(high)s, played twice, would have won; %(best)s would have equalled the golden number.")
        : gettext("Any number from %(low)s to %(high)s, played once, would have won; %(best)s would have equalled the golden number.");
    setText(part(this.root, "wins"), wins ? interpolate(text, { low, best, high }, true) : "");
  }

  #compute() {
    this.#showWins();
    /** @type {number[]} */
    const numbers = [];
    for (const name of ["x", "y"]) {
      const text = this.#field(name)?.value.trim() ?? "";
      if (text === "" && name === "y") continue;
      const value = Number(text.replace(",", "."));
      if (!isValid(value)) {
        this.#showMessage(text === "" ? gettext("Enter a number to see the effect.") : gettext("Enter a number greater than 0 and less than 100."));
        return;
      }
      numbers.push(value);
    }
    const named = this.round.numbers.map((own, seat) => (seat === this.#player ? numbers : own));
    const score = scoreRound(named);
    if (score) this.#show(named, score);
  }

  /** @param {string} text shown instead of a result */
  #showMessage(text) {
    setText(part(this.root, "message"), text);
    const then = part(this.root, "then");
    if (then) then.hidden = true;
  }

  /** @param {(number[] | null)[]} named @param {{golden: number, gains: number[]}} score */
  #show(named, { golden, gains }) {
    const { number, golden: before, totals, gains: had } = this.round;
    const numbers = { number, before: fourDecimals(before), after: fourDecimals(golden) };
    const text =
      numbers.before === numbers.after
        ? gettext("Round %(number)s: the golden number would still have been %(before)s.")
        : gettext("Round %(number)s: the golden number would have been %(after)s instead of %(before)s.");
    this.#showMessage(interpolate(text, numbers, true));
    const table = part(this.root, "then");
    if (table) table.hidden = false;
    const then = totals.map((total, seat) => total - had[seat] + gains[seat]);
    const order = [...totals.keys()].sort((a, b) => then[b] - then[a] || a - b);
    part(this.root, "seats")?.replaceChildren(
      ...order.map((seat) => this.#row(seat, named[seat], [had[seat], gains[seat]], [totals[seat], then[seat]])),
    );
  }

  /** @param {number} seat @param {number[] | null} numbers @param {[number, number]} gains @param {[number, number]} totals */
  #row(seat, numbers, [had, gain], [total, then]) {
    const name = element("span", { class: "truncate" }, this.players[seat]);
    const moved = gain > had ? "up" : gain < had ? "down" : null;
    return element(
      "tr",
      { class: seat === this.#player ? "is-mine" : null },
      element("th", { scope: "row" }, element("span", { class: "seat-name" }, seatSwatch(seat), name)),
      element("td", { class: "number" }, playedNumbers(numbers)),
      element("td", { class: "number" }, points(had)),
      element("td", { class: "number", "data-sign": moved }, points(gain)),
      element("td", { class: "number" }, points(total)),
      element("td", { class: "number strong" }, points(then)),
    );
  }
}

const root = document.querySelector("[data-what-if]");
if (root instanceof HTMLElement) new WhatIf(root);
