/**
 * Explain the card under the pointer or with the focus: its points, and what brought it to its place. In a pile, the
 * cards of a rank are explained together.
 *
 * The cards are one tab stop: the arrow keys move the focus between them.
 */
import { element, zoomOf } from "#site/dom.js";
import { paragraph } from "#site/format.js";
import { cardLabel, cardOf, cardPoints, rankOf, setPoints } from "./cards.js";
import { decisionSentences, movesCards } from "./sentences.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */

const GAP = 6; // pixels between a card and its note
const TARGET = ".playing-card[data-card], .pile__rank[data-cards]"; // what has a note

/** @param {any} view @param {number} card @returns {string} where the card is; "" while it is hidden or in the deck */
function placeOf(view, card) {
  if (view.table.includes(card)) return "table";
  if (view.discards.includes(card)) return "discards";
  const seat = [0, 1].find((one) => view.piles[one].includes(card) || view.hands[one]?.includes(card));
  if (seat === undefined) return "";
  return `${view.piles[seat].includes(card) ? "pile" : "hand"} ${seat}`;
}

/**
 * @param {MatchModel} model @param {number} index @param {number} card
 * @returns {number | null} the decision since which the card has been in its position; null if that decision is not loaded
 */
export function turnOfArrival(model, index, card) {
  const { view } = model.turns[index];
  const place = placeOf(view, card);
  for (let at = index; at > 0; at -= 1) {
    const before = model.turns[at - 1]?.view;
    if (!before) return null;
    if (before.deal !== view.deal || placeOf(before, card) !== place) return at;
  }
  return 0;
}

/** @param {MatchModel} model @param {number} index @param {number[]} cards a card, or those of a rank in a pile @returns {string} a line per card */
export function cardsNote(model, index, cards) {
  const { view } = model.turns[index];
  const lines = cards.map((card) => paragraph([pointsOf(card), historyText(arrivalOf(model, index, card))]));
  const [card] = cards;
  const pile = view.piles.find((/** @type {number[]} */ one) => one.includes(card)) ?? [];
  const n = pile.filter((/** @type {number} */ other) => rankOf(other) === rankOf(card)).length;
  if (setPoints(n)) lines.push(interpolate(gettext("%(n)s of this rank in the pile: %(points)s extra points."), { n, points: setPoints(n) }, true));
  return lines.join("\n");
}

/** @param {number} card @returns {string} */
function pointsOf(card) {
  const points = cardPoints(card);
  return interpolate(ngettext("%(card)s: %(points)s point.", "%(card)s: %(points)s points.", points), { card: cardLabel(card), points }, true);
}

/**
 * @param {MatchModel} model @param {number} index @param {number} card
 * @returns {{how: "dealt" | "chosen" | "drawn", turn: number, what: string} | null} how the card came to its position, and what
 *   the player did; null if the decision is not loaded or nothing moved the card
 */
export function arrivalOf(model, index, card) {
  const turn = turnOfArrival(model, index, card);
  if (turn === null) return null;
  const what = paragraph(decisionSentences(model, turn, movesCards));
  const isStart = turn === 0 || model.turns[turn - 1].view.deal !== model.turns[turn].view.deal;
  if (!what) return isStart ? { how: "dealt", turn, what } : null;
  return { how: wasChosen(model.turns[turn].view, card) ? "chosen" : "drawn", turn, what };
}

/** @param {ReturnType<typeof arrivalOf>} arrival @returns {string} */
function historyText(arrival) {
  if (arrival === null) return "";
  const texts = { dealt: gettext("Dealt at the start."), chosen: gettext("Decision %(turn)s: %(what)s"), drawn: gettext("Drawn at decision %(turn)s: %(what)s") };
  return interpolate(texts[arrival.how], arrival, true);
}

/** @param {any} view @param {number} card @returns {boolean} whether a player chose the card in this decision */
function wasChosen(view, card) {
  return (view.decisions ?? []).some((/** @type {import("./sentences.js").Decision} */ one) => one.action === card || one.first === card);
}

export class CardNotes {
  /** @param {HTMLElement} root the card table @param {(cards: number[]) => string} textOf */
  constructor(root, textOf) {
    this.root = root;
    this.textOf = textOf;
    this.note = element("p", { class: "card-note small", "aria-hidden": "true", hidden: true });
    root.append(this.note);
    root.addEventListener("pointerover", (event) => this.#show(targetAt(event)));
    root.addEventListener("pointerleave", (event) => event.pointerType === "touch" || this.#show(null));
    root.addEventListener("focusin", (event) => this.#show(targetAt(event)));
    root.addEventListener("focusout", () => this.#show(null));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Make the drawn cards focusable; the one with this name, or the first one, by the tab key.
   * @param {string | undefined} name
   * @returns {HTMLElement | undefined} the one with this name
   */
  refresh(name) {
    if (!this.note.hidden) this.#show(null);
    const targets = this.#targets();
    const named = targets.find((target) => name !== undefined && namesOf(target).includes(name));
    for (const target of targets) target.tabIndex = target === (named ?? targets[0]) ? 0 : -1;
    return named;
  }

  #targets() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(TARGET))];
  }

  /** @param {HTMLElement | null} target null: none */
  #show(target) {
    this.note.hidden = target === null;
    if (target === null) return;
    const text = this.textOf(namesOf(target).map(cardOf));
    target.setAttribute("role", "img");
    target.setAttribute("aria-label", text);
    this.note.textContent = text;
    this.#place(target.getBoundingClientRect(), this.root.getBoundingClientRect());
  }

  /** Place the note below the card, or above it at the bottom of the table. @param {DOMRect} card @param {DOMRect} table */
  #place(card, table) {
    const { style } = this.note;
    const { width, height } = this.note.getBoundingClientRect();
    const zoom = zoomOf(this.root);
    const below = card.bottom - table.top + GAP;
    const top = below + height <= table.height ? below : card.top - table.top - height - GAP;
    const left = Math.min(card.left - table.left, table.width - width - GAP);
    Object.assign(style, { top: `${top / zoom}px`, left: `${Math.max(GAP, left) / zoom}px` });
  }

  /** @param {KeyboardEvent} event left and right: the next card; up and down: the next row; Escape: hide the note */
  #key(event) {
    const cards = this.#targets();
    const at = cards.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape") this.#show(null);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault(); // otherwise the replay would step
    const row = event.key === "ArrowUp" || event.key === "ArrowDown" ? rowOf(cards[at]) : null;
    let next = at + step;
    while (row && cards[next] && rowOf(cards[next]) === row) next += step;
    if (!cards[next]) return;
    for (const card of cards) card.tabIndex = card === cards[next] ? 0 : -1;
    cards[next].focus();
  }
}

/** @param {Event} event @returns {HTMLElement | null} */
const targetAt = (event) => (event.target instanceof Element ? event.target.closest(TARGET) : null);

/** @param {HTMLElement} target @returns {string[]} the names of its cards */
export const namesOf = ({ dataset }) => (dataset.cards ?? dataset.card ?? "").split(" ");

/** @param {HTMLElement} card @returns {Element | null} its hand, pile, the table or the discards */
const rowOf = (card) => card.closest(".cards, .pile");
