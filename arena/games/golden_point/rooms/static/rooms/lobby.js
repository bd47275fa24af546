/** The lobby: the players who have joined before the start. On a projector, all names fit beside the invitation. */
import { element, part, setText } from "#site/dom.js";

const SIZES = [1.1875, 1.125, 1.0625, 1, 0.9375, 0.875, 0.8125, 0.75]; // of names on a projector, in rem

export class Lobby {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.container = part(root, "lobby");
    this.list = part(root, "lobby-names");
    this.count = part(root, "lobby-count");
    this.empty = part(root, "lobby-empty");
    /** @type {string[]} in the order of joining */
    this.names = [];
    this.drawn = "";
    // Opening the projector view and resizing the window change the space for the names.
    if (this.container) new ResizeObserver(() => this.#drawNames()).observe(this.container);
  }

  /** @param {Pick<import("./model.js").Room, "state" | "lobby">} room */
  draw({ state, lobby = [] }) {
    if (!this.container) return;
    this.container.hidden = state !== "waiting";
    setText(this.count, String(lobby.length));
    if (this.empty) this.empty.hidden = lobby.length > 0;
    this.names = lobby;
    this.#drawNames();
  }

  #drawNames() {
    const { container, list, names } = this;
    if (!container || !list) return;
    const fits = getComputedStyle(container).getPropertyValue("--names-fit") !== "";
    const drawn = JSON.stringify([names, container.dataset.own, fits && [container.clientWidth, container.clientHeight]]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    delete list.dataset.fit;
    list.style.fontSize = "";
    this.#show(names);
    if (fits) this.#fit(list);
  }

  /**
   * Show all names in the largest size in which they fit. If none is small enough, shorten long names, and if that is not
   * enough either, show as many of the newest as possible.
   * @param {HTMLElement} list
   */
  #fit(list) {
    for (const fit of ["whole", "short"]) {
      list.dataset.fit = fit;
      for (const size of SIZES) {
        list.style.fontSize = `${size}rem`;
        if (this.#isFitting()) return;
      }
    }
    const newest = [...this.names].reverse();
    let [fitting, most] = [1, newest.length - 1];
    while (fitting < most) {
      const tried = Math.ceil((fitting + most) / 2);
      this.#show(newest.slice(0, tried), newest.length - tried);
      if (this.#isFitting()) fitting = tried;
      else most = tried - 1;
    }
    this.#show(newest.slice(0, fitting), newest.length - fitting);
  }

  #isFitting() {
    const { scrollHeight, clientHeight } = /** @type {HTMLElement} */ (this.container);
    return scrollHeight <= clientHeight;
  }

  /** @param {string[]} names @param {number} [rest] how many are not shown */
  #show(names, rest = 0) {
    const own = this.container?.dataset.own;
    const shown = names.map((name) => element("li", { class: name === own ? "is-mine" : null }, name));
    if (rest > 0) shown.push(element("li", { class: "muted", "data-part": "lobby-rest" }, interpolate(gettext("and %s more"), [rest])));
    this.list?.replaceChildren(...shown);
  }
}
