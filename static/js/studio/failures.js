/** The failures of runs and checks, shown as cards above the board and as messages at their lines in the editor. */
import { part } from "../site/dom.js";
import { botChecksum } from "./checksum.js";

export class Failures {
  /**
   * @param {HTMLElement} root contains the cards of studio/faults.html and the board of studio/run.html
   * @param {import("./code-editor.js").CodeEditor} editor
   * @param {import("./file-tabs.js").FileTabs} tabs
   */
  constructor(root, editor, tabs) {
    this.root = root;
    this.editor = editor;
    this.tabs = tabs;
  }

  /** Label the results again; show failures again whose files are back. */
  draftChanged() {
    if (this.#compare()) this.#markLines();
  }

  /**
   * Show failures at their lines, if the editor shows the files that failed.
   * @param {boolean} atOnce jump to the first one
   * @returns {HTMLElement | undefined} the card of the first one
   */
  mark(atOnce) {
    this.#compare();
    this.#removeRepeated();
    const cards = this.#markLines();
    const first = cards.find((card) => this.editor.isAt(card.dataset.file ?? "", markOf(card)));
    if (atOnce && first) this.goTo(first);
    return first;
  }

  /** Show failures at their lines, and the line that lost the run. The focus stays where it is. */
  markRun() {
    const first = this.mark(false);
    if (first?.dataset.lost === "true") this.goTo(first, false);
  }

  /** Show the cards of a run or check before the others. @param {"faults" | "check-faults"} name */
  putFirst(name) {
    const cards = part(this.root, name);
    cards?.parentElement?.prepend(cards);
    cards?.parentElement?.scrollTo({ top: 0 });
  }

  /** Show the line of a failure. @param {HTMLElement} card @param {boolean} [takesFocus] */
  goTo({ dataset }, takesFocus = true) {
    if (!this.tabs.paths.includes(dataset.file ?? "")) return;
    this.tabs.show(dataset.file ?? "");
    this.editor.goTo(Number(dataset.line), takesFocus);
  }

  /**
   * Mark the results of other files than those in the editor as stale, which decides their labels.
   * @returns {boolean} whether a stale one has become current
   */
  #compare() {
    const shown = String(botChecksum(this.tabs.paths.map((path) => ({ path, text: this.editor.text(path) }))));
    let isBack = false;
    for (const result of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-checksum]"))) {
      const isStale = result.dataset.checksum !== shown;
      isBack ||= !isStale && result.hasAttribute("data-stale");
      result.toggleAttribute("data-stale", isStale);
    }
    return isBack;
  }

  /** Remove a run's failures that the check of the same files has found since, as `faults_beside` in arena/studio does. */
  #removeRepeated() {
    const checked = new Set(cardsIn(part(this.root, "check-faults")).map(causeOf));
    for (const card of cardsIn(part(this.root, "faults"))) if (checked.has(causeOf(card))) card.remove();
  }

  /** @returns {HTMLElement[]} the cards whose failures are shown at their lines */
  #markLines() {
    const cards = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("[data-fault]:not([data-stale], [data-line='0'])")]);
    for (const path of this.tabs.paths) this.editor.mark(path, cards.filter(({ dataset }) => dataset.file === path).map(markOf));
    return cards;
  }
}

/** @param {HTMLElement} card @returns {import("./code-editor.js").Mark} */
function markOf({ dataset }) {
  return { line: Number(dataset.line), source: dataset.source ?? "", message: dataset.message ?? "", lost: dataset.lost === "true" };
}

/** @param {HTMLElement | null} cards @returns {HTMLElement[]} the visible ones */
function cardsIn(cards) {
  if (!cards || cards.hidden) return [];
  return /** @type {HTMLElement[]} */ ([...cards.querySelectorAll("[data-fault]")]);
}

/** @param {HTMLElement} card @returns {string} what two cards of the same failure have in common */
function causeOf({ dataset }) {
  return JSON.stringify([dataset.checksum, dataset.file, dataset.line, dataset.message]);
}
