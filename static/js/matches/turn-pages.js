/**
 * The turns of a long match, fetched on demand, a page at a time.
 *
 * Invariants: each page has at most one request in flight; a page that fails to load may be requested again. The server
 * returns the page that contains the named turn, whatever its bounds.
 */
import { send } from "../site/requests.js";

const MAX_TRIES = 3;
const MAX_PARALLEL_REQUESTS = 3; // requests

/** @typedef {{first: number, turns: import("./match-model.js").Turn[], spent: number[]}} TurnPage `spent`: seconds charged to each seat before it */

export class TurnPages {
  /**
   * @param {import("./match-model.js").Snapshot} snapshot
   * @param {(page: TurnPage) => void} onPage
   * @param {typeof send} [fetchPage]
   */
  constructor({ first = 0, spent = [], pages = [], turns_url = "", of = "" }, onPage, fetchPage = send) {
    this.url = turns_url;
    this.of = of;
    this.starts = pages;
    this.onPage = onPage;
    this.fetchPage = fetchPage;
    /** @type {Map<number, number[]>} seconds by seat before the turns of these numbers */
    this.spent = new Map([[first, spent]]);
    /** @type {Set<number>} turns by which pages were asked for */
    this.asked = new Set();
    /** @type {number[]} the newest wish last */
    this.waiting = [];
    this.running = 0;
  }

  /** @param {number} number the missing turn's */
  ask(number) {
    const named = this.#start(number);
    if (this.asked.has(named)) return;
    this.asked.add(named);
    this.waiting.push(named);
    this.#next();
  }

  /** The first turn of its page, if known, so that each page has only one URL. @param {number} number */
  #start(number) {
    let named = number;
    for (const start of this.starts) if (start <= number) named = start;
    return named;
  }

  #next() {
    while (this.running < MAX_PARALLEL_REQUESTS && this.waiting.length > 0) this.#fetch(/** @type {number} */ (this.waiting.pop()));
  }

  /** @param {number} named */
  async #fetch(named) {
    this.running += 1;
    const address = `${this.url}${named}.json${this.of ? `?of=${this.of}` : ""}`;
    const answer = await this.fetchPage(address, {}, { tries: MAX_TRIES });
    this.running -= 1;
    this.asked.delete(named);
    if (answer.state === "done") {
      this.spent.set(answer.body.first, answer.body.spent);
      this.onPage(answer.body);
    }
    this.#next();
  }
}
