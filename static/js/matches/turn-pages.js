/**
 * The turns of a long match, fetched on demand, a page at a time.
 *
 * Invariants: each page has at most one request in flight; a page that fails to load may be requested again. The server
 * returns the page that contains the named turn, whatever its bounds.
 */
import { send } from "../site/requests.js";

const MAX_TRIES = 3;
const MAX_PARALLEL_REQUESTS = 3;

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
    /** @type {Set<number>} turns whose pages have been requested */
    this.requested = new Set();
    /** @type {number[]} turns whose pages wait for a free request, the newest last */
    this.waiting = [];
    this.running = 0;
  }

  /** @param {number} number of the missing turn */
  ask(number) {
    const named = this.#start(number);
    if (this.requested.has(named)) return;
    this.requested.add(named);
    this.waiting.push(named);
    this.#next();
  }

  /** Return the first turn of its page, if known, so that each page has only one URL. @param {number} number */
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
    this.requested.delete(named);
    if (answer.state === "done") {
      this.spent.set(answer.body.first, answer.body.spent);
      this.onPage(answer.body);
    }
    this.#next();
  }
}
