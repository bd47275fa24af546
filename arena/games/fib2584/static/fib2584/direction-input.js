/** Read directions from arrow keys and swipes while a person may move. */

/** @type {Record<string, number>} */
const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const MIN_SWIPE_PX = 24; // pixels

/** @param {number} dx @param {number} dy @returns {number | null} the swipe's direction; null: too short */
export function swipeDirection(dx, dy) {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < MIN_SWIPE_PX) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 1 : 3;
  return dy > 0 ? 2 : 0;
}

export class DirectionInput {
  /** @param {HTMLElement} display the area for swipes */
  constructor(display) {
    this.display = display;
    /** @type {number[]} */
    this.legal = [];
    this.plays = false;
    this.play = (/** @type {number} */ _direction) => {};
    /** @type {{x: number, y: number} | null} */
    this.from = null;
    // Captures keys before the page uses them to step through turns.
    document.addEventListener("keydown", (event) => this.#pressed(event), { capture: true });
    display.addEventListener("pointerdown", ({ clientX, clientY, isPrimary }) => (this.from = isPrimary ? { x: clientX, y: clientY } : null));
    display.addEventListener("pointerup", (event) => this.#lifted(event));
    display.addEventListener("pointercancel", () => (this.from = null));
  }

  /** @param {number[]} legal empty: no move now @param {(direction: number) => void} play */
  offer(legal, play) {
    this.plays ||= legal.length > 0; // spectators' views leave the keys to the page
    this.legal = legal;
    this.play = play;
    this.display.classList.toggle("is-playable", this.plays);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.plays || !(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (/** @type {HTMLElement} */ (event.target).closest("input, select, textarea, .table-wrap")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#choose(KEYS[event.key]);
  }

  /** @param {PointerEvent} event */
  #lifted({ clientX, clientY }) {
    const direction = this.from ? swipeDirection(clientX - this.from.x, clientY - this.from.y) : null;
    this.from = null;
    if (direction !== null) this.#choose(direction);
  }

  /** @param {number} direction */
  #choose(direction) {
    if (this.legal.includes(direction)) this.play(direction);
  }
}
