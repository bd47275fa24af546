/** The card table: both players, the table, deck and discards; cards move from their old places in an animation. */
import { element, part, prefersReducedMotion, setText, zoomOf } from "#site/dom.js";
import { points as pointsText } from "#site/format.js";
import { CardNotes, cardsNote, namesOf } from "./card-notes.js";
import { cardElement, cardName, cardOf, hiddenCard, pileParts } from "./cards.js";
import { movesCards, latestActions, stageLabel } from "./sentences.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {{hand: number[], table: number[], chosen: number[], seat: number, gain: (card: number) => number | null, onPick: (card: number) => void, onRefused: (card: number) => void}} Picks cards that can be clicked */

const MOVE_ANIMATION = { duration: 380, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };
const REMEMBERED = 3; // actions described below the cards

export class CardTable {
  /** @param {HTMLElement} display @param {MatchModel} model */
  constructor(display, model) {
    this.root = /** @type {HTMLElement} */ (part(display, "card-table"));
    this.model = model;
    this.players = [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-player]"))];
    this.index = -1;
    /** @type {Picks | null} */
    this.picks = null;
    /** @type {string | null} */
    this.hinted = null;
    /** @type {CardNotes | null} */
    this.notes = null;
  }

  /** Explain cards under the pointer or with the focus. A person at the table has controls in their place. */
  explain() {
    this.notes = new CardNotes(this.root, (cards) => cardsNote(this.model, this.index, cards));
  }

  /** @param {number} index the turn @param {boolean} animate */
  show(index, animate) {
    this.index = index;
    this.#draw(animate);
  }

  /** @param {Picks | null} picks */
  offer(picks) {
    if (picks === null && this.picks === null) return;
    this.picks = picks;
    this.#draw(false);
  }

  /** @param {string | null} move */
  hint(move) {
    this.hinted = move;
    this.#markHint();
  }

  get view() {
    return this.model.turns[this.index]?.view;
  }

  /** @param {boolean} animate */
  #draw(animate) {
    const { view } = this;
    if (!view) return;
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active && this.root.contains(active) ? namesOf(active)[0] : "";
    const places = animate ? this.#places() : null;
    this.players.forEach((player) => this.#drawPlayer(player, view));
    if (this.model.outcome) part(this.root, "play")?.setAttribute("hidden", "");
    if (view.deals > 1) setText(part(this.root, "round"), interpolate(gettext("Deal %(deal)s of %(deals)s"), view, true));
    part(this.root, "table")?.replaceChildren(...view.table.map((/** @type {number} */ card) => element("li", {}, this.#card(card, this.picks?.table))));
    setText(part(this.root, "deck"), String(view.deck));
    part(this.root, "deck-card")?.setAttribute("data-left", String(view.deck));
    part(this.root, "discards")?.replaceChildren(...view.discards.map((/** @type {number} */ card) => cardElement(card)));
    part(this.root, "last")?.replaceChildren(...latestActions(this.model, this.index, REMEMBERED).map((text) => element("li", {}, text)));
    for (const card of movedBy(view)) this.#find(cardName(card))?.classList.add("is-new");
    if (places) this.#animateFrom(places);
    const explained = this.notes?.refresh(focused);
    if (focused) (explained ?? this.#find(focused))?.focus({ preventScroll: true });
    this.#markHint();
  }

  /** @param {HTMLElement} player @param {any} view */
  #drawPlayer(player, view) {
    const seat = Number(player.dataset.player);
    const hand = view.hands[seat];
    player.setAttribute("aria-label", this.model.seats[seat].name);
    const picks = this.picks?.seat === seat ? this.picks.hand : undefined;
    /** @type {HTMLElement[]} */
    const cards = hand ? hand.map((/** @type {number} */ card) => this.#card(card, picks)) : Array.from({ length: view.hand_sizes[seat] }, hiddenCard);
    part(player, "hand")?.replaceChildren(...cards.map((card) => element("li", {}, card)));
    if (view.pending[seat] !== null) player.querySelector(`[data-part="hand"] [data-card="${cardElement(view.pending[seat]).dataset.card}"]`)?.classList.add("is-chosen");
    part(player, "pile")?.replaceChildren(...pileParts(view.piles[seat]));
    this.#drawPoints(player, view.points[seat]);
    part(player, "functions")?.replaceChildren(functionCard("swap", view.swapped[seat]), functionCard("capture", view.captured[seat]));
    player.classList.toggle("is-to-move", view.to_move === seat && this.model.outcome === null);
  }

  /** Draw the points and, briefly, what was just won. @param {HTMLElement} player @param {number} points */
  #drawPoints(player, points) {
    const place = part(player, "points");
    const won = points - Number(player.dataset.points ?? points);
    player.dataset.points = String(points);
    const gain = element("span", { class: "card-table__gain", "aria-hidden": "true" }, `+${won}`);
    place?.replaceChildren(pointsText(points), ...(won > 0 ? [gain] : []));
    if (won > 0 && !prefersReducedMotion()) gain.animate([{ opacity: 1 }, { opacity: 1 }, { opacity: 0, translate: "0 -0.6em" }], { duration: 1600 });
  }

  /** @param {number} card @param {number[]} [pickable] if a person is choosing: the cards that can be chosen */
  #card(card, pickable = []) {
    const canPick = pickable?.includes(card) ?? false;
    const made = cardElement(card, canPick);
    const isChosen = this.picks?.chosen.includes(card) ?? false;
    made.classList.toggle("is-chosen", isChosen);
    if (!canPick) {
      if (pickable) made.addEventListener("click", () => this.picks?.onRefused(card));
      return made;
    }
    made.classList.add("is-legal");
    const gain = isChosen ? null : (this.picks?.gain(card) ?? null);
    if (gain !== null) made.append(gainOf(gain));
    if (isChosen) made.setAttribute("aria-pressed", "true");
    made.addEventListener("click", () => this.picks?.onPick(card));
    return made;
  }

  /** @param {string} name of a card @returns {HTMLElement | null} */
  #find(name) {
    return this.root.querySelector(`.playing-card[data-card="${name}"], .pile__suit[data-card="${name}"]`);
  }

  #markHint() {
    for (const marked of this.root.querySelectorAll(".is-hint")) marked.classList.remove("is-hint");
    if (this.hinted === null) return;
    const found = cardOf(this.hinted) >= 0 ? this.#find(this.hinted) : this.root.querySelector(`[data-stage="${this.hinted}"]`);
    found?.classList.add("is-hint");
  }

  /** @returns {Map<string, DOMRect>} the cards' current places */
  #places() {
    return new Map(this.#cards().map((card) => [card.dataset.card ?? "", card.getBoundingClientRect()]));
  }

  /** @param {Map<string, DOMRect>} places the cards' old places */
  #animateFrom(places) {
    for (const card of this.#cards()) {
      const from = places.get(card.dataset.card ?? "");
      const to = card.getBoundingClientRect();
      if (from === undefined) {
        card.animate([{ opacity: 0, scale: 0.6 }, {}], MOVE_ANIMATION);
      } else if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 2) {
        const [x, y] = [from.x - to.x, from.y - to.y].map((distance) => distance / zoomOf(card));
        card.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], MOVE_ANIMATION);
      }
    }
  }

  #cards() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-card]"))];
  }
}

/** @param {number} points @returns {HTMLElement} a badge with the points that a card would earn */
function gainOf(points) {
  const words = element("span", { class: "visually-hidden" }, ` ${interpolate(ngettext("%s point", "%s points", points), [points])}`);
  return element("span", { class: "playing-card__gain" }, element("span", { "aria-hidden": "true" }, `+${points}`), words);
}

/** @param {any} view @returns {number[]} the cards that the turn's decisions moved */
function movedBy(view) {
  /** @type {import("./sentences.js").Decision[]} */
  const decisions = view.decisions ?? [];
  return decisions.filter(movesCards).flatMap(({ action, first }) => [action, first]).filter((card) => card !== null);
}

/** @param {string} stage @param {boolean} isUsed */
function functionCard(stage, isUsed) {
  const used = isUsed ? element("span", { class: "visually-hidden" }, ` ${pgettext("function card", "used")}`) : null;
  return element("span", { class: isUsed ? "function-card is-used" : "function-card" }, stageLabel(stage), used);
}
