/**
 * The moves of a match and the output of the reader's bot, turn by turn; a click shows the turn on the board.
 *
 * Invariant: opponents' moves are listed where only one seat moves at a time; there, moves answer each other.
 */
import { element, setText } from "../site/dom.js";
import { duration, formatNumber, moveText } from "../site/format.js";

const MAX_LINES = 3000; // one per turn; older ones are removed
const ROUNDING = 1; // px: a list scrolls by whole pixels, but its rows are higher by fractions

export class Output {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement | null} empty shown while the list is empty
   * @param {(turn: number) => void} onChoose
   */
  constructor(list, empty, onChoose) {
    this.list = list;
    this.empty = empty;
    this.next = 0; // the first turn that is not in the list yet
    /** @type {HTMLElement | null} */
    this.current = null;
    new ResizeObserver(() => this.#scroll()).observe(list.parentElement ?? list);
    list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("[data-turn]");
      if (button) onChoose(Number(/** @type {HTMLElement} */ (button).dataset.turn));
    });
  }

  clear() {
    this.next = 0;
    this.current = null;
    this.list.replaceChildren();
    if (this.empty) this.empty.hidden = false;
  }

  /**
   * Add the new turns, and mark the shown one.
   * @param {import("../matches/match-model.js").MatchModel} model
   * @param {number} seat the reader's
   * @param {number} shown
   * @param {import("../matches/game-view.js").GameModule["moveLabel"]} label
   */
  show(model, seat, shown, label) {
    const rows = [];
    for (; this.next <= model.last; this.next += 1) {
      const turn = /** @type {import("../matches/match-model.js").Turn & {printed?: string}} */ (model.turns[this.next]);
      const played = listedMove(turn.moves, seat);
      const opponent = played && played.seat !== seat ? model.seats[played.seat].name : "";
      if (played || turn.printed) rows.push(row(turn, played, opponent, label));
    }
    if (rows.length > 0) {
      this.list.append(...rows);
      while (this.list.childElementCount > MAX_LINES) this.list.firstElementChild?.remove();
      if (this.empty) this.empty.hidden = true;
    }
    this.#point(shown);
  }

  /** @param {number} shown */
  #point(shown) {
    const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const at = rows.filter(({ dataset }) => Number(dataset.number) <= shown).at(-1) ?? null;
    if (at === this.current) return;
    this.current?.removeAttribute("aria-current");
    at?.setAttribute("aria-current", "true");
    this.current = at;
    this.#scroll();
  }

  /** Show the current row in a list that is as high as whole rows, unless the page scrolls instead of the list. */
  #scroll() {
    const { list, current } = this;
    list.style.maxHeight = "";
    if (!current || list.scrollHeight <= list.clientHeight) return;
    const rows = [...list.children];
    const heightOf = (/** @type {number} */ index) => rows[index].getBoundingClientRect().height;
    const { first, height } = wholeRows(heightOf, rows.length, rows.indexOf(current), list.clientHeight - ROUNDING);
    list.style.maxHeight = `${height + ROUNDING}px`;
    list.scrollTop += rows[first].getBoundingClientRect().top - list.getBoundingClientRect().top;
  }
}

/**
 * Choose which rows to show in a list: the current one, the next one, and as many others as fit, rather earlier ones.
 * @param {(index: number) => number} heightOf a row
 * @param {number} count of rows
 * @param {number} current row
 * @param {number} space height of the list
 * @returns {{first: number, height: number}} the first row, and the height of all shown rows
 */
export function wholeRows(heightOf, count, current, space) {
  let [first, end] = [current, current + 1];
  let height = Math.min(heightOf(current), space);
  const fits = (/** @type {number} */ index) => {
    const total = index >= 0 && index < count ? height + heightOf(index) : Infinity;
    if (total <= space) height = total;
    return total <= space;
  };
  if (fits(end)) end += 1;
  while (fits(first - 1)) first -= 1;
  while (fits(end)) end += 1;
  return { first, height };
}

/**
 * @param {import("../matches/match-model.js").Played[]} moves of one turn
 * @param {number} seat the reader's
 * @returns {import("../matches/match-model.js").Played | undefined} the reader's move, or the only move of the turn
 */
export function listedMove(moves, seat) {
  return moves.find((played) => played.seat === seat) ?? (moves.length === 1 ? moves[0] : undefined);
}

/**
 * @param {import("../matches/match-model.js").Turn & {printed?: string}} turn
 * @param {import("../matches/match-model.js").Played | undefined} played
 * @param {string} opponent who moved; "" for the reader's bot
 * @param {import("../matches/game-view.js").GameModule["moveLabel"]} label
 */
function row(turn, played, opponent, label) {
  const what = turn.number === 0 ? gettext("start") : played ? moveText(played.move, label) : "–";
  const time = played ? element("span", { class: "muted" }, duration(played.seconds)) : null;
  const button = element("button", { type: "button", class: "studio__turn", "data-turn": turn.number }, element("span", { class: "muted number" }, String(turn.number)), " ", element("strong", {}, what), " ", time);
  const name = opponent ? element("span", { class: "studio__opponent" }, opponent) : null;
  const printed = turn.printed ? element("pre", {}, turn.printed.replace(/\n$/, "")) : null;
  return element("li", { "data-number": turn.number, "data-opponent": opponent ? "" : null }, button, name, printed);
}

/**
 * @param {HTMLElement} root of a run
 * @param {any} score see arena/studio/score.py
 * @param {string} status of the run
 */
export function showScore(root, score, status) {
  const container = /** @type {HTMLElement | null} */ (root.querySelector("[data-part=score]"));
  if (!container) return;
  container.hidden = score.games === 1;
  setText(container.querySelector("[data-part=score-text]"), scoreText(score));
  setText(container.querySelector("[data-part=score-interval]"), detailText(score, status));
  const bar = /** @type {HTMLElement | null} */ (container.querySelector("[data-part=rate]"));
  if (!bar) return;
  bar.hidden = score.rate === null;
  for (const name of ["rate", "low", "high"]) bar.style.setProperty(`--${name}`, String(score[name] ?? 0));
}

const percent = (/** @type {number} */ value) => Math.round(value * 100);

/** @param {any} score */
export function scoreText(score) {
  const played = interpolate(gettext("%(played)s of %(games)s played"), score, true);
  if (score.rate !== null) return `${interpolate(gettext("Won %(rate)s %"), { rate: percent(score.rate) }, true)} · ${played}`;
  if (score.mean === null) return played;
  return `${interpolate(gettext("Mean score %(mean)s"), { mean: formatNumber(score.mean, 1) }, true)} · ${played}`;
}

/** @param {any} score */
function intervalText(score) {
  if (score.rate !== null) {
    return interpolate(gettext("95 % CI %(low)s to %(high)s %"), { low: percent(score.low), high: percent(score.high) }, true);
  }
  return score.half === null ? "" : interpolate(gettext("95 % CI ± %s"), [formatNumber(score.half, 1)]);
}

/**
 * Describe the interval, or why the run ended early: both would need a second line, which would push the standings out
 * of view.
 * @param {any} score
 * @param {string} status of the run
 */
export const detailText = (score, status) => endText(score, status) || intervalText(score);

/**
 * @param {any} score
 * @param {string} status
 * @returns {"failure" | "time_limit" | ""} why a run ended before its last match; empty if the result below says so
 */
export function endReason(score, status) {
  if (status !== "finished" || score.played >= score.games) return "";
  return score.failed ? "failure" : "time_limit";
}

/** @param {any} score @param {string} status @returns {string} */
function endText(score, status) {
  const texts = { failure: gettext("stopped: your bot cannot start"), time_limit: gettext("stopped at the time limit"), "": "" };
  return texts[endReason(score, status)];
}
