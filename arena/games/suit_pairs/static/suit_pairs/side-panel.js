/** The panel beside the card table: players with totals and times, the list of actions, the points of each deal. */
import { faultLabel } from "#live/labels.js";
import { element, part, setText } from "#site/dom.js";
import { duration, points as pointsText } from "#site/format.js";
import { keepInView } from "#site/keep-in-view.js";
import { decisionSentences, movesCards } from "./sentences.js";
import { totals } from "./totals.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */

export class SidePanel {
  /** @param {HTMLElement} root @param {MatchModel} model @param {(index: number) => void} onChoose */
  constructor(root, model, onChoose) {
    this.root = root;
    this.model = model;
    this.players = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-seat]"))];
    this.moves = part(root, "moves");
    this.deals = part(root, "deals");
    this.listed = 0;
    this.here = -1; // loaded turns when the list was built
    this.deals?.addEventListener("click", (event) => this.#dealChosen(event, onChoose));
  }

  restart() {
    this.moves?.replaceChildren();
    this.listed = 0;
  }

  /** @param {number} index */
  show(index) {
    const view = this.model.turns[index]?.view;
    if (!view) return;
    const points = totals(view);
    this.players.forEach((player) => this.#drawPlayer(player, index, view, points));
    this.#listMoves(index);
    this.#drawDeals(view);
  }

  /** @param {HTMLElement} player @param {number} index @param {any} view @param {number[]} points */
  #drawPlayer(player, index, view, points) {
    const seat = Number(player.dataset.seat);
    const { outcome } = this.model;
    const isEnd = index === this.model.last;
    setText(part(player, "total"), pointsText(points[seat]));
    player.classList.toggle("is-to-move", view.to_move === seat && !(outcome && isEnd));
    player.classList.toggle("is-winner", isEnd && outcome?.winner === seat);
    const seconds = this.model.turns.slice(0, index + 1).flatMap((turn) => (turn?.moves ?? []).filter((move) => move.seat === seat).map((move) => move.seconds));
    const facts = [];
    if (seconds.length > 0) {
      facts.push(element("span", {}, interpolate(gettext("%s in total"), [duration(this.model.used(seat, index))])));
    }
    if (seconds.length > 0 && !this.model.pages) {
      facts.push(element("span", {}, interpolate(gettext("slowest %s"), [duration(Math.max(...seconds))])));
    }
    const { fault } = this.model.seats[seat];
    if (fault && isEnd) facts.push(element("span", { class: "badge", "data-tone": "bad" }, faultLabel(fault)));
    part(player, "facts")?.replaceChildren(...facts);
  }

  /** @param {number} index the shown turn; later turns are not listed until the match is over */
  #listMoves(index) {
    const until = this.model.outcome ? this.model.last : index;
    if (this.model.pages) this.#listAnew(until);
    for (; this.listed <= until; this.listed += 1) {
      for (const text of decisionSentences(this.model, this.listed, movesCards)) {
        this.moves?.append(element("li", {}, element("a", { href: `?at=${this.listed}`, "data-at": this.listed }, text)));
      }
    }
    this.moves?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const links = [.../** @type {NodeListOf<HTMLElement>} */ (this.moves?.querySelectorAll("a") ?? [])];
    const link = links.filter((one) => Number(one.dataset.at) <= index).at(-1);
    if (!this.moves || !link) return;
    link.setAttribute("aria-current", "step");
    keepInView(this.moves, link);
  }

  /**
   * Rebuild the list of turns when some have arrived: those of a long match arrive in any order.
   * @param {number} until
   */
  #listAnew(until) {
    const here = this.model.turns.reduce((count) => count + 1, 0); // `reduce` skips holes
    if (here === this.here) return;
    this.restart();
    this.here = here;
    this.listed = Math.min(until, this.model.turns.findIndex(Boolean));
  }

  /** @param {any} view */
  #drawDeals(view) {
    if (this.deals) this.deals.hidden = view.deals === 1;
    const rows = [...view.over, view.points].map((points, number) =>
      element("tr", {}, element("th", { scope: "row" }, this.#dealButton(number + 1)), ...points.map((/** @type {number} */ one) => element("td", { class: "number" }, pointsText(one)))),
    );
    part(this.root, "deals-body")?.replaceChildren(...rows);
  }

  /** @param {number} deal */
  #dealButton(deal) {
    return element("button", { type: "button", class: "button button--small button--quiet", "data-deal": deal }, String(deal));
  }

  /** @param {Event} event @param {(index: number) => void} onChoose */
  #dealChosen(event, onChoose) {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-deal]"));
    if (!button) return;
    const deal = Number(button.dataset.deal);
    const known = this.model.overview?.deals[deal - 1];
    const first = known ?? this.model.turns.findIndex((turn) => turn?.view.deal === deal);
    if (first >= 0) onChoose(first);
  }
}
