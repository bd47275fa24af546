/** Page automatically through a table that is too long for a screen that nobody can scroll. */
import { part, prefersReducedMotion, setText } from "./dom.js";

const PAGE_INTERVAL = 8_000; // milliseconds: time to find one's own name among about 15
/** Dispatch it on a `<tbody>` after changing its rows or their order. */
export const ROWS_CHANGE = "rowschange";
const FADE = { duration: 400, easing: "ease-out" };

/**
 * Divide rows into as few pages as possible, with at least one row each. If they fit, all pages have equally many rows, give
 * or take one, so that the last page does not have a single row.
 * @param {number[]} heights of the rows
 * @param {number} space the height of a page
 * @param {number} [most] rows on a page
 * @returns {number[]} the index of the first row of each page
 */
export function pageStarts(heights, space, most = Infinity) {
  const full = fullPageStarts(heights, space, most);
  const even = full.map((_, page) => Math.ceil((page * heights.length) / full.length));
  const used = even.map((first, page) => heights.slice(first, even[page + 1]).reduce((sum, height) => sum + height, 0));
  return used.every((height) => height <= space) ? even : full;
}

/**
 * Fill each page with as many whole rows as fit, at least one.
 * @param {number[]} heights of the rows
 * @param {number} space the height of a page
 * @param {number} most rows on a page
 * @returns {number[]} the index of the first row of each page
 */
function fullPageStarts(heights, space, most) {
  const starts = [0];
  let used = 0;
  heights.forEach((height, index) => {
    const first = starts[starts.length - 1];
    if (index > first && (used + height > space || index - first >= most)) {
      starts.push(index);
      used = 0;
    }
    used += height;
  });
  return starts;
}

/**
 * @param {number} first the index of the first shown row
 * @param {number} end the index after the last one
 * @param {number} total how many rows count; uncounted ones, such as removed players, are the last ones
 * @returns {string}
 */
export function rangeText(first, end, total) {
  const shown = { first: Math.min(first + 1, total), last: Math.min(end, total), total };
  return interpolate(gettext("%(first)s–%(last)s of %(total)s"), shown, true);
}

export class TablePager {
  /** @type {number[]} */
  #starts = [0];

  #page = 0;

  #timer = 0;

  #isPaused = false;

  /**
   * @param {object} options
   * @param {HTMLTableSectionElement} options.body
   * @param {HTMLElement} options.pager contains a part "rows-shown" and may contain `data-turn` buttons: back, pause, forward
   * @param {() => number | null} options.space the height for the rows, null to show all rows at once
   * @param {number} [options.every] milliseconds for which a page is shown
   * @param {number} [options.most] rows on a page
   * @param {number} [options.total] the number of rows to state, if the table contains only the first of them
   */
  constructor({ body, pager, space, every = PAGE_INTERVAL, most, total }) {
    this.body = body;
    this.pager = pager;
    this.space = space;
    this.every = every;
    this.most = most;
    this.total = total;
    this.draw = this.draw.bind(this);
    body.addEventListener(ROWS_CHANGE, this.draw);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (pager.querySelectorAll("[data-turn]"))) {
      button.addEventListener("click", () => this.#press(button));
    }
    this.draw();
  }

  get pages() {
    return this.#starts.length;
  }

  /** Divide the rows into pages, and show the current one. */
  draw() {
    const rows = [...this.body.rows];
    for (const row of rows) row.hidden = false;
    this.pager.hidden = false; // it may reduce the space
    const space = this.space();
    this.#starts = space === null ? [0] : pageStarts(rows.map((row) => row.getBoundingClientRect().height), space, this.most);
    if (this.pages === 1 && this.total === undefined) this.pager.hidden = true;
    this.#page = Math.min(this.#page, this.pages - 1);
    this.#show();
    if (this.pages === 1) this.stop();
    else this.#start();
  }

  #start() {
    this.#timer ||= window.setInterval(() => this.#turnAutomatically(), this.every);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  #turnAutomatically() {
    // Hiding a row that a keyboard has reached would lose the focus.
    if (!this.#isPaused && !this.body.querySelector(":focus-visible")) this.#turn(1);
  }

  /** @param {number} by */
  #turn(by) {
    this.#page = (this.#page + by + this.pages) % this.pages;
    this.#show();
    if (!prefersReducedMotion()) this.body.animate([{ opacity: 0 }, { opacity: 1 }], FADE);
  }

  #show() {
    const rows = [...this.body.rows];
    const first = this.#starts[this.#page];
    const end = this.#starts[this.#page + 1] ?? rows.length;
    rows.forEach((row, index) => (row.hidden = index < first || index >= end));
    const shown = rangeText(first, end, this.total ?? rows.filter((row) => !row.hasAttribute("data-uncounted")).length);
    setText(part(this.pager, "rows-shown"), shown);
  }

  /** @param {HTMLElement} button */
  #press(button) {
    if (button.dataset.turn === "pause") {
      this.#isPaused = !this.#isPaused;
      setText(button, this.#isPaused ? gettext("Continue") : pgettext("turning pages", "Pause"));
      return;
    }
    this.#turn(button.dataset.turn === "back" ? -1 : 1);
    this.stop();
    this.#start();
  }
}
