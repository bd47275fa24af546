/**
 * A room's standings: rows move to their new ranks in an animation and show how far they moved in the last round. The
 * reader's own rank is also shown in words: "You are 12th of 60, 24 points".
 */
import { seatSwatch } from "#charts/seat-swatches.js";
import { element, setText } from "#site/dom.js";
import { prepareFlip } from "#site/flip-animation.js";
import { ordinal, points, pointsText, signed } from "#site/format.js";
import { ROWS_CHANGE, TablePager } from "#site/table-pager.js";

const SHOWN = 200; // rows; the reader's own row is shown in any case

export class RoomStandings {
  /**
   * @param {HTMLElement} root a table
   * @param {import("./model.js").RoomModel} model
   * @param {(seats: number[]) => void} onChoose called with the seats to highlight in the chart; empty: none
   */
  constructor(root, model, onChoose) {
    this.body = /** @type {HTMLTableSectionElement} */ (root.querySelector("tbody"));
    this.model = model;
    this.onChoose = onChoose;
    /** @type {Map<number, HTMLElement>} by player */
    this.rows = new Map();
    /** @type {Set<number>} players whose numbers stand out */
    this.pinned = new Set();
    /** @type {number | null} the reader's player */
    this.own = null;
    this.body.replaceChildren();
    this.#listen();
    this.#startPaging(root);
  }

  /** @param {number} player */
  showOwn(player) {
    this.own = player;
    this.draw();
  }

  draw() {
    const standings = this.model.standings().filter(({ player }, index) => index < SHOWN || player === this.own);
    const animate = prepareFlip(this.rows.values());
    const wanted = standings.length ? standings.map((standing) => this.#row(standing)) : [emptyRow()];
    if (wanted.length !== this.body.rows.length || wanted.some((row, index) => this.body.rows[index] !== row)) {
      this.body.replaceChildren(...wanted);
    }
    this.body.dispatchEvent(new Event(ROWS_CHANGE));
    animate();
  }

  /** Turn through the standings in the projector view. @param {HTMLElement} root */
  #startPaging(root) {
    const pager = root.nextElementSibling;
    if (!(pager instanceof HTMLElement)) return;
    const head = root.querySelector("thead");
    const space = () => {
      const turns = getComputedStyle(root).getPropertyValue("--turns-pages") !== "";
      return turns ? root.clientHeight - (head?.offsetHeight ?? 0) : null;
    };
    const paging = new TablePager({ body: this.body, pager, space });
    new ResizeObserver(paging.draw).observe(root);
    document.addEventListener("viewchange", paging.draw);
  }

  /** @param {import("./model.js").Standing} standing */
  #row(standing) {
    const { player, seat, name, score, gain, rank, moved, shared, isRemoved } = standing;
    const row = this.rows.get(player) ?? element("tr", { "data-player": player });
    this.rows.set(player, row);
    const isOwn = player === this.own;
    row.classList.toggle("is-mine", isOwn);
    row.classList.toggle("is-removed", isRemoved);
    row.toggleAttribute("data-uncounted", isRemoved);
    const badge = isRemoved ? element("span", { class: "badge" }, gettext("Removed")) : isOwn ? element("span", { class: "badge", "data-tone": "gold" }, gettext("You")) : null;
    const swatch = seat === undefined ? null : seatSwatch(seat);
    const who = element("button", { type: "button", class: "room__player", "aria-pressed": String(this.pinned.has(player)) }, swatch, element("span", { class: "wraps" }, name));
    row.replaceChildren(
      element("td", { class: "number" }, isRemoved ? "–" : element("span", { class: "rank", "data-rank": rank }, String(rank))),
      element("td", { class: "room__moved" }, movement(moved, shared > 0)),
      element("th", { scope: "row" }, who, badge),
      element("td", { class: "number room__gain", "data-sign": gain > 0 ? "up" : gain < 0 ? "down" : "" }, gain ? signed(gain) : ""),
      element("td", { class: "number strong" }, points(score)),
    );
    return row;
  }

  /** Highlight a pressed name in the chart, and the row under the pointer while it is there. */
  #listen() {
    const playerOf = (/** @type {MouseEvent} */ event) => {
      const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("tr[data-player]"));
      return row ? Number(row.dataset.player) : null;
    };
    this.body.addEventListener("click", (event) => {
      const player = playerOf(event);
      if (player === null || !(/** @type {HTMLElement} */ (event.target).closest("button"))) return;
      const isPinned = !this.pinned.delete(player);
      if (isPinned) this.pinned.add(player);
      /** @type {HTMLElement} */ (event.target).closest("button")?.setAttribute("aria-pressed", String(isPinned));
      this.#choose(null);
    });
    this.body.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#choose(playerOf(event)));
    this.body.addEventListener("pointerleave", () => this.#choose(null));
  }

  /** @param {number | null} player to highlight besides the pinned ones */
  #choose(player) {
    const players = player === null ? [...this.pinned] : [...this.pinned, player];
    this.onChoose(players.flatMap((each) => this.model.seatByPlayer.get(each) ?? []));
  }
}

function emptyRow() {
  return element("tr", {}, element("td", { colspan: 5, class: "muted" }, gettext("Nobody has played yet.")));
}

/**
 * Return the mark for a change of rank. A fall to a shared rank is not marked as bad: when one player overtakes a
 * group, all of the group fall.
 * @param {number | null} moved places up; negative: down; null: unknown, or a new player
 * @param {boolean} isShared whether others have the same rank
 */
export function movement(moved, isShared) {
  if (moved === null || moved === 0) return "";
  const text = moved > 0 ? interpolate(ngettext("up %s place", "up %s places", moved), [moved]) : interpolate(ngettext("down %s place", "down %s places", -moved), [-moved]);
  const sign = element("span", { "aria-hidden": "true" }, `${moved > 0 ? "▲" : "▼"}${Math.abs(moved)}`);
  return element("span", { "data-sign": moved > 0 ? "up" : isShared ? null : "down", class: moved < 0 && isShared ? "muted" : null, title: text }, sign, element("span", { class: "visually-hidden" }, text));
}

/** @param {ReturnType<import("./model.js").RoomModel["rankOf"]>} own */
export function rankText(own) {
  if (own === null) return "";
  const { shared } = own;
  const values = { rank: ordinal(own.rank), players: own.players, points: pointsText(own.score), shared };
  const text = ngettext("You are %(rank)s of %(players)s, tied with %(shared)s other, %(points)s", "You are %(rank)s of %(players)s, tied with %(shared)s others, %(points)s", shared);
  if (shared > 0) return interpolate(text, values, true);
  return interpolate(gettext("You are %(rank)s of %(players)s, %(points)s"), values, true);
}

/**
 * @param {import("./model.js").RoomModel} model
 * @param {number | null} player the reader; null: unknown
 */
export function drawRank(model, player) {
  const text = player === null ? "" : rankText(model.rankOf(player));
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-own-rank]"))) {
    line.hidden = text === "";
    setText(line, text);
  }
}
