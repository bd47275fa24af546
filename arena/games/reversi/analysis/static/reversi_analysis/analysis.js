/**
 * The analysis of a match beside its board: steps through the positions, draws the curve, and follows a running
 * analysis. On the analysis board, a click on a square loads the next URL without leaving the page.
 *
 * Invariant: without this script, everything works through links and forms; with it, the same URLs are fetched.
 */
import { useArrows } from "../../../static/reversi/board-keys.js";
import { ReversiBoard, sideName } from "../../../static/reversi/board.js";
import { refreshParts } from "#live/refresh.js";
import { ReplayControls } from "#matches/replay-controls.js";
import { element, pageData, part, prefersReducedMotion, setText } from "#site/dom.js";
import { paragraph } from "#site/format.js";
import { request } from "#site/requests.js";
import { AnalysisChart } from "./chart.js";

const TURN_MS = 900;

class AnalysisPage {
  /** @param {HTMLElement} root arena/games/reversi/analysis/templates/reversi_analysis/analysis.html */
  constructor(root) {
    this.root = root;
    const display = /** @type {HTMLElement} */ (part(root, "display"));
    this.board = new ReversiBoard(/** @type {HTMLElement} */ (display.querySelector("[data-reversi-board]")));
    this.chart = new AnalysisChart(/** @type {HTMLElement} */ (part(root, "chart")), (ply) => this.#choose(ply));
    this.controls = new ReplayControls(/** @type {HTMLElement} */ (part(root, "replay-controls")), {
      turnMs: TURN_MS,
      onGo: (index) => this.#go(index),
      onLive: () => {},
      onRest: () => this.#keepAddress(),
    });
    this.positions = pageData("analysis-data").positions;
    const requested = new URLSearchParams(location.search).get("at");
    this.index = requested !== null && /^\d+$/.test(requested) ? Math.min(Number(requested), this.last) : this.last;
    root.addEventListener("click", (event) => this.#follow(event));
    this.#show(false);
    this.chart.update(this.positions);
    this.#watch();
  }

  get last() {
    return this.positions.length - 1;
  }

  /** Refresh the server-rendered parts every few seconds while the analysis runs. */
  #watch() {
    const every = Number(part(this.root, "state")?.dataset.every);
    if (!(every > 0)) return;
    setTimeout(async () => {
      if (!this.root.isConnected) return;
      if (!document.hidden) {
        await refreshParts();
        this.positions = pageData("analysis-data").positions;
        this.chart.update(this.positions);
        this.#show(false);
      }
      this.#watch();
    }, every * 1000);
  }

  /** @param {number} index */
  #go(index) {
    const isStep = Math.abs(index - this.index) === 1;
    this.index = index;
    this.#show(isStep && !prefersReducedMotion());
    setText(part(this.root, "announce"), paragraph(this.positions[index].description));
  }

  /** @param {number} ply */
  #choose(ply) {
    this.controls.stop();
    this.#go(ply);
    this.#keepAddress();
  }

  /** @param {boolean} animate */
  #show(animate) {
    const { view, description, best } = this.positions[this.index];
    this.board.draw(view, { animate, showLegal: true });
    for (const square of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-square]"))) {
      square.classList.toggle("is-best", square.dataset.square === best);
      if (square instanceof HTMLButtonElement) square.setAttribute("aria-label", squareLabel(square));
    }
    part(this.root, "description")?.replaceChildren(...description.map((/** @type {string} */ sentence) => element("p", {}, sentence)));
    for (const turn of this.root.querySelectorAll("[data-turn]")) {
      /** @type {HTMLElement} */ (turn).hidden = /** @type {HTMLElement} */ (turn).dataset.turn !== (view.to_move ?? "X");
    }
    const at = /** @type {HTMLInputElement | null} */ (part(this.root, "at"));
    if (at) at.value = String(this.index);
    this.chart.show(this.index);
    this.#mark();
    const text = interpolate(gettext("Move %(n)s of %(last)s"), { n: this.index, last: this.last }, true);
    this.controls.update({ index: this.index, last: this.last, isOpen: false, following: false, text });
  }

  /** Mark the current move in the table, and scroll the table to it without moving the page. */
  #mark() {
    for (const row of this.root.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
    const row = this.root.querySelector(`a[data-at="${this.index}"]`)?.closest("tr");
    const box = row?.closest(".table-wrap");
    if (!row || !box) return;
    row.setAttribute("aria-current", "step");
    const [outer, inner] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
    const head = box.querySelector("thead")?.clientHeight ?? 0;
    if (inner.top < outer.top + head || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 2;
  }

  #keepAddress() {
    const url = new URL(location.href);
    if (this.index === this.last) url.searchParams.delete("at");
    else url.searchParams.set("at", String(this.index));
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("a[data-at]"));
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#choose(Number(link.dataset.at));
    part(this.root, "display")?.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }
}

/**
 * A page that fetches the next URL on each board click and swaps in its parts.
 *
 * Invariant: a click during a request waits, and then applies to the board in the response.
 */
class BoardPage {
  /** @param {HTMLElement} root the part of the page that depends on the URL */
  constructor(root) {
    this.root = root;
    /** @type {Promise<void>} resolves when all requested loads have finished */
    this.idle = Promise.resolve();
    root.addEventListener("submit", (event) => this.#submit(/** @type {SubmitEvent} */ (event)));
    addEventListener("popstate", () => this.#after(() => this.#load(location.href, null)));
  }

  /** @param {() => Promise<void>} load */
  #after(load) {
    this.idle = this.idle.then(load).catch((error) => reportError(error)); // a failed load does not stop the next one
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches("[data-board-form]")) return;
    event.preventDefault();
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const hand = String(new FormData(form).get("hand") ?? "");
    this.#after(() => this.#press(pressed, hand));
  }

  /** @param {HTMLButtonElement | null} pressed @param {string} hand the action selected at click time */
  async #press(pressed, hand) {
    const form = /** @type {HTMLFormElement | null} */ (this.root.querySelector("[data-board-form]"));
    if (!form) return;
    const fields = new FormData(form);
    fields.set("hand", hand);
    if (pressed?.name) fields.append(pressed.name, pressed.value);
    const url = new URL(form.action);
    for (const [name, value] of fields) url.searchParams.append(name, String(value));
    await this.#load(url.href, pressed?.dataset.square ?? null);
  }

  /** @param {string} url @param {string | null} focus the pressed square, which gets the focus back */
  async #load(url, focus) {
    const response = await request(url, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!response) {
      location.href = url;
      return;
    }
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    const drawn = fresh.querySelector("[data-swap]");
    if (!drawn) {
      location.href = url;
      return;
    }
    if (response.ok && response.url !== location.href) history.pushState(null, "", response.url);
    this.root.replaceChildren(...document.adoptNode(drawn).childNodes);
    const shown = fresh.getElementById("game-export");
    if (shown) document.getElementById("game-export")?.replaceWith(document.adoptNode(shown));
    start(this.root, focus);
    if (focus) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-square="${focus}"]`))?.focus({ preventScroll: true });
  }
}

/** Return the accessible label of a square. @param {HTMLElement} square */
function squareLabel(square) {
  const name = square.dataset.square ?? "";
  const side = /** @type {HTMLElement | null} */ (square.querySelector(".disc"))?.dataset.side;
  return side ? `${name}${pgettext("between phrases", ", ")}${sideName(/** @type {"X" | "O"} */ (side))}` : interpolate(gettext("%(square)s, empty"), { square: name }, true);
}

/** @param {ParentNode} where @param {string | null} [square] the focused square */
function start(where, square = null) {
  for (const board of where.querySelectorAll("[data-reversi-board]")) useArrows(/** @type {HTMLElement} */ (board), square);
  for (const root of where.querySelectorAll("[data-analysis]")) new AnalysisPage(/** @type {HTMLElement} */ (root));
}

start(document);
for (const root of document.querySelectorAll("[data-swap]")) new BoardPage(/** @type {HTMLElement} */ (root));
