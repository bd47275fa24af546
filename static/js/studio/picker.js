/** The choice of opponents and game settings, in a panel that closes on a click elsewhere or on Escape. */
import { part } from "../site/dom.js";
import { nameList } from "../site/format.js";
import { OpponentList } from "./opponent-list.js";

export class Picker {
  /** @param {HTMLDetailsElement} root studio/picker.html */
  constructor(root) {
    this.root = root;
    this.list = new OpponentList(root, Number(root.dataset.most));
    root.addEventListener("change", () => this.#changed());
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !root.open) return;
      root.open = false;
      root.querySelector("summary")?.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (root.open && !root.contains(/** @type {Node} */ (event.target))) root.open = false;
    });
    this.#changed();
  }

  /** @returns {number[]} ids of bots */
  get opponents() {
    return this.list.chosen.map(({ value }) => Number(value));
  }

  /** @returns {Record<string, number | string>} the game's settings by name */
  get settings() {
    const fields = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (this.root.querySelectorAll("[data-part=game-settings] [name]"));
    return Object.fromEntries(
      [...fields]
        .filter(({ value }) => value !== "")
        .map(({ name, value }) => [name.replace(/^game-/, ""), /^-?\d+$/.test(value) ? Number(value) : value]),
    );
  }

  #changed() {
    const { chosen } = this.list;
    const names = chosen.map((input) => part(/** @type {HTMLElement} */ (input.closest("label")), "name")?.textContent ?? "");
    const picked = /** @type {HTMLElement} */ (part(this.root, "picked"));
    const pictures = chosen.map((input) => input.nextElementSibling?.cloneNode(true)).filter((one) => one instanceof Element);
    picked.replaceChildren(...pictures, names.length > 0 ? nameList(names) : gettext("Choose an opponent"));
  }
}
