/** A draft's files as tabs above the editor, navigated with the arrow keys. */
import { element } from "../site/dom.js";

export class FileTabs {
  /** @param {HTMLElement} list @param {(path: string) => void} onShow */
  constructor(list, onShow) {
    this.list = list;
    this.onShow = onShow;
    /** @type {string[]} */
    this.paths = [];
    this.shown = "";
    list.addEventListener("click", (event) => {
      const tab = /** @type {HTMLElement} */ (event.target).closest("[role=tab]");
      if (tab) this.show(/** @type {HTMLElement} */ (tab).dataset.path ?? "");
    });
    list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} path */
  add(path) {
    if (this.paths.includes(path)) return;
    this.paths.push(path);
    this.list.append(element("button", { type: "button", role: "tab", class: "studio__file", "data-path": path, "aria-selected": "false", tabindex: "-1" }, path));
  }

  /** @param {string} path */
  remove(path) {
    this.paths = this.paths.filter((one) => one !== path);
    this.#tab(path)?.remove();
    if (this.shown === path) this.show(this.paths[0]);
  }

  /** @param {string} path */
  show(path) {
    this.#select(this.shown, false);
    this.#select(path, true);
    this.#tab(path)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.shown = path;
    this.onShow(path);
  }

  /** @param {string} path @param {boolean} selected */
  #select(path, selected) {
    this.#tab(path)?.setAttribute("aria-selected", String(selected));
    this.#tab(path)?.setAttribute("tabindex", selected ? "0" : "-1");
  }

  /** @param {string} path @returns {HTMLElement | null} */
  #tab(path) {
    return this.list.querySelector(`[data-path="${CSS.escape(path)}"]`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { length } = this.paths;
    const next = this.paths[(this.paths.indexOf(this.shown) + step + length) % length];
    this.show(next);
    this.#tab(next)?.focus();
  }
}
