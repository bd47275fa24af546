/** The output of the reader's bot up to the shown turn; only for its author and staff. */
import { part, setText } from "../site/dom.js";
import { send } from "../site/requests.js";

/** @typedef {[number, string][]} Output turns in order, with their output; turn 0 is the start */

/**
 * @param {Output} output
 * @param {number} turn
 * @returns {[number, string] | null} the latest output up to this turn
 */
export function outputAt(output, turn) {
  let found = null;
  for (const one of output) if (one[0] <= turn) found = one;
  return found;
}

const LINE = 160; // characters, more than fit beside a board

/** @param {string} text @returns {string} its beginning on one line */
export function shortened(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line;
}

export class BotOutput {
  /**
   * @param {(turn: number) => string} position a turn in the words of the game, such as "Move 5 of 60"
   * @param {ParentNode} [page]
   */
  constructor(position, page = document) {
    this.position = position;
    this.page = page;
    /** @type {Map<string, Output | null>} by address; null while the request is pending */
    this.known = new Map();
    this.turn = 0;
    this.isOpen = false; // whether the whole output is shown beside the board
    page.addEventListener("click", ({ target }) => {
      if (!(/** @type {HTMLElement} */ (target).closest?.("[data-part=output-line-more]"))) return;
      this.isOpen = !this.isOpen;
      this.show(this.turn);
    });
  }

  /** @param {number} turn */
  show(turn) {
    this.turn = turn;
    const container = part(this.page, "bot-output"); // the page replaces it at the end of a match
    const { url } = container?.dataset ?? {};
    if (!container || !url) return;
    const output = this.known.get(url);
    if (output === undefined) this.#fetch(url);
    if (!output) return;
    const found = outputAt(output, turn);
    const heading = part(container, "output-turn");
    setText(heading, this.#title(found));
    if (heading) heading.dataset.turn = found ? String(found[0]) : "";
    const text = part(container, "output-text");
    setText(text, found?.[1] ?? "");
    if (text) text.hidden = !found;
    container.classList.toggle("is-now", found?.[0] === turn);
    this.#showLine(found);
  }

  /** Show the same beside the board, for when the tab is hidden. @param {[number, string] | null} found */
  #showLine(found) {
    const line = part(this.page, "output-line");
    if (!line) return;
    line.hidden = false;
    line.classList.toggle("is-now", found?.[0] === this.turn);
    setText(part(line, "output-line-turn"), this.#title(found));
    line.classList.toggle("is-open", this.isOpen);
    const text = part(line, "output-line-text");
    setText(text, this.isOpen ? (found?.[1] ?? "").trim() : shortened(found?.[1] ?? ""));
    const more = part(line, "output-line-more");
    if (!text || !more) return;
    more.hidden = !this.isOpen && text.scrollHeight <= text.clientHeight && text.scrollWidth <= text.clientWidth;
    more.setAttribute("aria-expanded", String(this.isOpen));
    setText(more, this.isOpen ? gettext("Show less") : gettext("Show more"));
  }

  /** @param {string} url */
  async #fetch(url) {
    this.known.set(url, null);
    const answer = await send(url, {}, { tries: 2 });
    if (answer.state !== "done") return; // the server-rendered output stays
    this.known.set(url, answer.body.turns);
    this.show(this.turn);
  }

  /** @param {[number, string] | null} found */
  #title(found) {
    if (!found) return gettext("No output so far");
    if (found[0] === 0) return gettext("Output during startup");
    return interpolate(gettext("Output · %(position)s"), { position: this.position(found[0]) }, true);
  }
}
