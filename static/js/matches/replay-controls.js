/** Replay controls: slider, buttons, keys, speed. They handle positions only, not what a position shows. */
import { part, setText } from "../site/dom.js";

/** @type {Record<string, string>} */
const SCRIPTED_KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };

export class ReplayControls {
  /**
   * @param {HTMLElement} root matches/replay_controls.html
   * @param {{turnMs: number, onGo: (index: number) => void, onLive: () => void, onRest: () => void}} options
   *   `onGo`: go to a position; `onLive`: follow the newest position; `onRest`: the reader has stopped moving
   */
  constructor(root, { turnMs, onGo, onLive, onRest }) {
    this.root = root;
    this.turnMs = turnMs;
    this.onGo = onGo;
    this.onLive = onLive;
    this.onRest = onRest;
    this.index = 0;
    this.last = 0;
    this.range = /** @type {HTMLInputElement} */ (part(root, "range"));
    this.speed = /** @type {HTMLSelectElement} */ (part(root, "speed"));
    this.live = part(root, "live");
    this.closing = new AbortController();
    this.#listen();
  }

  /**
   * @param {{index: number, last: number, isOpen: boolean, following: boolean, text: string}} state
   */
  update({ index, last, isOpen, following, text }) {
    this.index = index;
    this.last = last;
    this.range.max = String(Math.max(0, last));
    this.range.value = String(Math.max(0, index));
    this.range.style.setProperty("--share", String(last > 0 ? index / last : 0));
    this.range.setAttribute("aria-valuetext", text);
    setText(part(this.root, "position"), text);
    if (this.live) {
      this.live.hidden = !isOpen;
      this.live.setAttribute("aria-pressed", String(following));
    }
    for (const name of ["first", "back"]) this.#button(name).disabled = index <= 0;
    for (const name of ["forward", "last"]) this.#button(name).disabled = index >= last;
    this.#button("play").disabled = last <= 0;
    if (index >= last) this.stop();
  }

  /** Stop listening to the page's keys, because other controls replace these. */
  close() {
    this.stop();
    this.closing.abort();
  }

  /** Stop the automatic playback. */
  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.#button("play").setAttribute("aria-pressed", "false");
  }

  /** @param {string} name */
  #button(name) {
    return /** @type {HTMLButtonElement} */ (this.root.querySelector(`[data-go="${name}"]`));
  }

  #listen() {
    this.root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("[data-go]");
      if (button) this.#act(/** @type {HTMLElement} */ (button).dataset.go ?? "");
    });
    this.range.addEventListener("input", () => this.#jump(Number(this.range.value)));
    this.range.addEventListener("change", () => this.onRest());
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.closing.signal });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const action = SCRIPTED_KEYS[event.key];
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]); // also inside the code editor
    if (event.defaultPrevented) return; // a board with arrow-key input has used this key
    if (!action || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.matches("input, select, textarea, [contenteditable]")) return;
    if (target !== document.body && !target.closest(".match, main") ) return;
    if (event.key === " " && target.matches("button, a, summary")) return;
    event.preventDefault();
    this.#act(action);
  }

  /** @param {string} action */
  #act(action) {
    /** @type {Record<string, () => void>} */
    const go = {
      first: () => this.#jump(0),
      back: () => this.#jump(this.index - 1),
      forward: () => this.#jump(this.index + 1),
      last: () => this.#jump(this.last),
      live: () => this.onLive(),
      play: () => (this.timer === undefined ? this.#play() : this.#pause()),
    };
    go[action]?.();
    if (action !== "play") this.onRest();
  }

  /** @param {number} index */
  #jump(index) {
    this.stop();
    this.onGo(Math.max(0, Math.min(this.last, index)));
  }

  #play() {
    if (this.index >= this.last) this.onGo(0);
    this.#button("play").setAttribute("aria-pressed", "true");
    const step = () => {
      this.timer = setTimeout(step, this.turnMs / Number(this.speed?.value || 1));
      this.onGo(this.index + 1);
      if (this.timer === undefined) this.onRest();
    };
    this.timer = setTimeout(step, this.turnMs / 3);
  }

  #pause() {
    this.stop();
    this.onRest();
  }
}
