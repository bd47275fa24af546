/** The failures of a run or check, shown as cards above the board and as messages at their lines in the editor. */
import { part } from "../site/dom.js";
import { botChecksum, checksum } from "./checksum.js";

export class Failures {
  /**
   * @param {HTMLElement} root contains the cards of studio/faults.html
   * @param {import("./code-editor.js").CodeEditor} editor
   * @param {import("./files.js").FileTabs} tabs
   */
  constructor(root, editor, tabs) {
    this.root = root;
    this.editor = editor;
    this.tabs = tabs;
    this.hasChanged = false; // the draft, since the last run began or the page was opened
  }

  draftChanged() {
    this.hasChanged = true;
    this.#label();
  }

  /** @param {boolean} hasChanged whether the draft has changed since it was sent */
  runStarted(hasChanged) {
    this.hasChanged = hasChanged;
    this.#label();
  }

  /** Remove all messages from the editor. */
  clear() {
    for (const path of this.tabs.paths) this.editor.mark(path, []);
  }

  /**
   * Show failures at their lines, in files that have not changed since.
   * @param {boolean} atOnce jump to the first one
   * @returns {boolean} whether any is shown
   */
  mark(atOnce) {
    this.clear();
    this.#label();
    const cards = [...this.#current].filter((card) => Number(card.dataset.line) > 0);
    for (const path of this.tabs.paths) this.editor.mark(path, cards.filter(({ dataset }) => dataset.file === path).map(markOf));
    const first = cards.find((card) => this.editor.isAt(card.dataset.file ?? "", markOf(card)));
    if (atOnce && first) this.goTo(first);
    return first !== undefined;
  }

  /** Show the line of a failure. @param {HTMLElement} card */
  goTo({ dataset }) {
    if (!this.tabs.paths.includes(dataset.file ?? "")) return;
    this.tabs.show(dataset.file ?? "");
    this.editor.goTo(Number(dataset.line));
  }

  /** @returns {HTMLElement[]} */
  get #cards() {
    return [...this.root.querySelectorAll("[data-fault]")].filter((card) => card instanceof HTMLElement);
  }

  /** The cards whose failures are those of the files in the editor. @returns {Set<HTMLElement>} */
  get #current() {
    const cards = this.#cards;
    const isKnown = cards.some(({ dataset }) => dataset.botChecksum);
    const bot = isKnown ? String(botChecksum(this.tabs.paths.map((path) => ({ path, text: this.editor.text(path) })))) : "";
    return new Set(cards.filter(({ dataset: { file = "", checksum: failed, botChecksum: all } }) => {
      if (all) return all === bot; // another file than the one that failed may have been changed
      return file ? this.tabs.paths.includes(file) && failed === String(checksum(this.editor.text(file))) : !this.hasChanged;
    }));
  }

  /** Say which results are not those of the text in the editor. */
  #label() {
    if (this.hasChanged) part(this.root, "earlier-run")?.removeAttribute("hidden");
    const current = this.#current;
    for (const card of this.#cards) {
      const [origin, stale] = [part(card, "origin"), part(card, "stale")];
      if (!stale) continue; // of a check, whose title names the version
      stale.hidden = current.has(card) || Boolean(origin?.dataset.version);
      if (origin) origin.hidden = !stale.hidden;
    }
  }
}

/** @param {HTMLElement} card @returns {import("./code-editor.js").Mark} */
function markOf({ dataset }) {
  return { line: Number(dataset.line), source: dataset.source ?? "", message: dataset.message ?? "", lost: dataset.lost === "true" };
}
