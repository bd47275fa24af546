/** Standings on a page: rows move to their new places in an animation, and figures are highlighted when they change. */
import { entryReasonLabel, showConnection } from "../live/labels.js";
import { element, part, prefersReducedMotion, setText } from "../site/dom.js";
import { prepareFlip } from "../site/flip-animation.js";
import { formatNumber, points, score } from "../site/format.js";
import { ROWS_CHANGE } from "../site/table-pager.js";
import { standingSentence } from "./standing-sentence.js";

const LEAST_ESTIMATE = 10_000; // milliseconds: site/time.js calls less than that "now", which an estimate cannot know
const ESTIMATE_CHECK = 60_000;
const FIGURES = /** @type {const} */ (["played", "wins", "draws", "losses"]);

/** Highlight a cell whose content has changed. @param {HTMLElement | null} cell */
function flash(cell) {
  if (!cell || prefersReducedMotion()) return;
  cell.classList.remove("has-changed");
  void cell.offsetWidth; // restarts the animation
  cell.classList.add("has-changed");
  cell.addEventListener("animationend", () => cell.classList.remove("has-changed"), { once: true });
}

/** @param {number} gained @returns {string} as in arena/tournaments/templatetags/standings.py */
export function movedText(gained) {
  return gained ? `${gained > 0 ? "▲" : "▼"}${Math.abs(gained)}` : "";
}

/** @param {{best_place: number | null, worst_place: number | null}} row @returns {string} the places still possible */
export function placesText({ best_place: best, worst_place: worst }) {
  if (best === null) return "";
  return best === worst ? String(best) : `${best}–${worst}`;
}

/**
 * @param {import("./standings-model.js").Row} row
 * @param {import("./standings-model.js").StandingsModel} model
 * @returns {string} as in arena/tournaments/templatetags/standings.py
 */
export function rankText(row, model) {
  if (row.rank === null) return "–";
  return (model.isOpen(row) && placesText(row)) || String(row.rank);
}

export class StandingsView {
  /**
   * @param {HTMLElement} root contains some of the parts: standings, head-to-head, progress, matches
   * @param {import("./standings-model.js").StandingsModel} model
   */
  constructor(root, model) {
    this.root = root;
    this.model = model;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.estimateCheck = undefined;
  }

  draw() {
    this.#drawRows();
    this.#drawPairs();
    this.#drawProgress();
    this.#drawMatches();
  }

  /** @param {import("../live/connection.js").State} state */
  connection(state) {
    showConnection(part(this.root, "connection"), state);
  }

  /** @returns {string} the current standing, for screen readers; "" if there is nothing to say */
  sentence() {
    return standingSentence(this.model);
  }

  #drawRows() {
    const body = part(this.root, "standings")?.querySelector("tbody");
    if (!body) return;
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map([.../** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("tr[data-entry]"))].map((row) => [Number(row.dataset.entry), row]));
    const wanted = this.model.order.map((entry) => rows.get(entry)).filter((row) => row !== undefined);
    const moves = wanted.some((row, place) => body.children[place] !== row);
    const animate = moves ? prepareFlip(wanted) : null;
    if (moves) {
      body.append(...wanted);
      body.dispatchEvent(new Event(ROWS_CHANGE));
    }
    for (const [entry, target] of rows) this.#drawRow(target, this.model.rows.get(entry));
    animate?.();
  }

  /** @param {HTMLElement} target @param {import("./standings-model.js").Row | undefined} row */
  #drawRow(target, row) {
    if (!row) return;
    const rank = part(target, "rank");
    setText(rank, rankText(row, this.model));
    if (rank) rank.dataset.rank = this.model.medal(row);
    if (setText(part(target, "points"), score(row.points, this.model.score?.decimals))) flash(part(target, "points"));
    for (const name of FIGURES) setText(part(target, name), formatNumber(row[name]));
    setText(part(target, "mean-rank"), typeof row.mean_rank === "number" ? formatNumber(row.mean_rank, 1) : "–");
    setText(part(target, "moved"), movedText(row.places_gained));
    setText(part(target, "possible"), placesText(row));
    setText(part(target, "margin"), points(row.margin));
    target.querySelectorAll("[data-part=tiebreak]").forEach((cell, place) => {
      const { index, decimals } = this.model.columns[place];
      setText(cell, score(row.tiebreaks[index], decimals));
    });
    setText(part(target, "note"), entryReasonLabel(row.reason));
    target.classList.toggle("is-out", row.status !== "entered");
  }

  #drawPairs() {
    /** @type {NodeListOf<HTMLElement> | undefined} */
    const cells = part(this.root, "head-to-head")?.querySelectorAll("[data-pair]");
    for (const cell of cells ?? []) {
      const pair = cell.dataset.pair ?? "";
      const [entry, opponent] = pair.split("-").map(Number);
      const met = this.model.met.get(pair);
      const text = met ? points(met.points) + (met.played > 1 ? ` / ${met.played}` : "") : "";
      if (cell.textContent?.trim() === text) continue;
      cell.textContent = text;
      cell.dataset.result = this.model.result(entry, opponent);
      flash(cell);
    }
  }

  #drawProgress() {
    const root = part(this.root, "progress");
    if (!root) return;
    const { finished, total, running, failed } = this.model.progress;
    const bar = root.querySelector("progress");
    if (bar) {
      bar.max = Math.max(1, total);
      bar.value = finished;
    }
    setText(part(root, "played"), interpolate(gettext("%(finished)s of %(total)s matches played"), { finished: formatNumber(finished), total: formatNumber(total) }, true));
    setText(part(root, "running"), running ? interpolate(gettext("%s running"), [running]) : "");
    setText(part(root, "failed"), failed ? interpolate(gettext("%s void"), [failed]) : "");
    this.#drawEstimate(root, this.model.status === "running" ? this.model.progress.ends_at : null);
  }

  /**
   * Show the estimate until it is almost over. Insert a new `<time>` at each change: site/time.js formats elements when
   * they are added.
   * @param {HTMLElement} root
   * @param {string | null | undefined} moment
   */
  #drawEstimate(root, moment) {
    const estimate = part(root, "estimate");
    if (!estimate) return;
    const left = moment ? Date.parse(moment) - Date.now() - LEAST_ESTIMATE : 0;
    estimate.hidden = left <= 0;
    clearTimeout(this.estimateCheck);
    if (left > 0) this.estimateCheck = setTimeout(() => this.#drawEstimate(root, moment), Math.min(left, ESTIMATE_CHECK));
    const shown = part(estimate, "ends-at");
    if (!moment || shown?.getAttribute("datetime") === moment) return;
    shown?.replaceWith(element("time", { datetime: moment, "data-relative": true, "data-part": "ends-at" }));
  }

  #drawMatches() {
    const list = part(this.root, "matches");
    if (!list) return;
    const known = new Map([.../** @type {HTMLCollectionOf<HTMLElement>} */ (list.children)].map((item) => [Number(item.dataset.matchId), item]));
    list.replaceChildren(
      ...this.model.matches.map((match) => {
        const item = known.get(match.id);
        return item && item.dataset.status === match.status ? item : matchItem(match, this.model.score?.decimals);
      }),
    );
  }
}

/**
 * @param {import("./standings-model.js").MatchLine} match
 * @returns {string} its bots; for a large table, also how many more there are
 */
export function matchNames({ names, hidden }) {
  const shown = names.join(" – ");
  return hidden ? `${shown} ${interpolate(ngettext("and %s more bot", "and %s more bots", hidden), [hidden])}` : shown;
}

/** @param {import("./standings-model.js").MatchLine} match @returns {HTMLElement} its name in the tournament */
function matchPlace({ name }) {
  return element("span", { class: "live-matches__name" }, ` ${name ?? ""}`);
}

/** @param {import("./standings-model.js").MatchLine} match @param {number | undefined} decimals */
function matchItem(match, decimals) {
  const result = element("span", { class: "nowrap strong" }, match.scores.map((value) => score(value, decimals)).join(" : "));
  const live = element("span", { class: "badge", "data-status": "running" }, gettext("Live"));
  const state = match.status === "running" ? live : match.status === "void" ? gettext("Void") : result;
  const link = element("a", { href: match.url, class: "wraps", "data-hidden": match.hidden || null }, matchNames(match), matchPlace(match));
  return element("li", { "data-match-id": match.id, "data-status": match.status }, link, state);
}
