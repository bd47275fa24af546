/** A list of opponents that can be searched by the names of bots and authors. */
import { part, setText } from "../site/dom.js";

export class OpponentList {
  /**
   * @param {HTMLElement} root contains studio/opponents.html
   * @param {number} [most] how many can be chosen
   */
  constructor(root, most = Infinity) {
    this.root = root;
    this.most = most;
    const search = /** @type {HTMLInputElement | null} */ (part(root, "opponents-search"));
    search?.addEventListener("input", () => this.#filter(search.value));
    search?.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault()); // would submit the form
    root.addEventListener("change", () => this.#limit());
    this.#limit();
  }

  /** @returns {HTMLInputElement[]} */
  get #inputs() {
    return [.../** @type {NodeListOf<HTMLInputElement>} */ (this.root.querySelectorAll("[data-part=opponents] input"))];
  }

  /** @returns {HTMLInputElement[]} the inputs of the chosen bots */
  get chosen() {
    return this.#inputs.filter(({ checked }) => checked);
  }

  #limit() {
    const isFull = this.chosen.length >= this.most;
    for (const input of this.#inputs) input.disabled = isFull && input.type === "checkbox" && !input.checked;
  }

  /** Filter the list by a text; chosen bots stay in view, because they will be submitted. @param {string} text */
  #filter(text) {
    const wanted = text.trim().toLowerCase();
    let found = 0;
    for (const input of this.#inputs) {
      const label = /** @type {HTMLElement} */ (input.closest("[data-name]"));
      const isFound = label.dataset.name?.includes(wanted) ?? false;
      label.hidden = !isFound && !input.checked;
      if (isFound) found += 1;
    }
    setText(part(this.root, "no-opponent"), found ? "" : gettext("No bot or author with this name. Try another name."));
  }
}
