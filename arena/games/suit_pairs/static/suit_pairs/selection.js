/**
 * A person's choice before it is played: a kind of action, and cards. Needs neither the DOM nor the network.
 *
 * Invariant: nothing is sent before the choice is complete, so that it can be cancelled; it then becomes a few
 * consecutive moves, starting with the stage unless the match is already in it.
 */
import { cardName, cardOf, partners, pilePoints } from "./cards.js";

/** @typedef {"pair" | "pass" | "discard" | "swap" | "capture"} MoveKind `pass`: a discard that ends the turn */

/** @typedef {{stage: string, table: number[], hands: (number[] | null)[], piles: number[][], pending: (number | null)[], legal: string[] | null}} View */

/** @typedef {"no_kind" | "from_hand" | "first_played" | "no_partner" | "hand_first" | "other_suit"} Obstacle why a card cannot be chosen */

const KINDS = /** @type {const} */ (["pair", "pass", "discard", "swap", "capture"]);
const NEEDED = { pair: 2, capture: 2, pass: 1, discard: 1, swap: 1 };

/** @param {View} view @param {number} seat @returns {Partial<Record<MoveKind, string>>} the stage for each available kind */
export function openKinds(view, seat) {
  const stages = view.stage === "init" ? (view.legal ?? []) : [view.stage];
  return Object.fromEntries(stages.map((stage) => [kindOf(stage, view, seat), stage]));
}

/** @param {string} stage @param {View} view @param {number} seat @returns {MoveKind} */
function kindOf(stage, view, seat) {
  if (stage.startsWith("discard")) return "discard";
  if (stage === "pair") return view.pending[seat] !== null || pairable(view, seat).length > 0 ? "pair" : "pass";
  return /** @type {MoveKind} */ (stage);
}

/** @param {View} view @param {number} seat @returns {number[]} the cards in hand that can pair */
function pairable(view, seat) {
  return (view.hands[seat] ?? []).filter((card) => partners(view.table, card).length > 0);
}

export class Selection {
  /** @param {View} view at the seat's turn @param {number} seat */
  constructor(view, seat) {
    this.view = view;
    this.seat = seat;
    this.open = openKinds(view, seat);
    const pending = view.pending[seat];
    /** @type {number[]} cards that were played already */
    this.played = pending === null ? [] : [pending];
    /** @type {number[]} */
    this.chosen = [];
    /** @type {MoveKind | null} */
    this.kind = this.usual;
  }

  /** @param {View} view @returns {boolean} whether it is the same position, received again */
  isFor(view) {
    return JSON.stringify(view) === JSON.stringify(this.view);
  }

  /** Return the default kind before one is chosen: pairing, or the only one available. @returns {MoveKind | null} */
  get usual() {
    const kinds = this.kinds;
    return kinds.includes("pair") ? "pair" : kinds.length === 1 ? kinds[0] : null;
  }

  /** @returns {MoveKind[]} */
  get kinds() {
    return KINDS.filter((kind) => kind in this.open);
  }

  /** @returns {boolean} whether there is something to cancel */
  get isPartial() {
    return this.chosen.length > 0 || this.kind !== this.usual;
  }

  /** @returns {number[]} cards in hand that can be chosen or deselected */
  get hand() {
    const hand = (this.view.hands[this.seat] ?? []).filter((card) => !this.played.includes(card));
    if (this.kind === null) return [];
    if (this.kind !== "pair") return hand;
    return this.played.length > 0 ? [] : hand.filter((card) => partners(this.view.table, card).length > 0);
  }

  /** @returns {number[]} cards on the table that can be chosen */
  get table() {
    const [first] = [...this.played, ...this.chosen];
    return this.kind === "pair" && first !== undefined ? partners(this.view.table, first) : [];
  }

  /**
   * @param {number} card that can be chosen
   * @returns {number | null} points for this card plus the first; null for a first card
   */
  gain(card) {
    const [first] = [...this.played, ...this.chosen];
    if (first === undefined || first === card) return null;
    if (this.kind === "pair" && !this.table.includes(card)) return null; // another first card
    const pile = this.view.piles[this.seat].filter((other) => other !== first);
    return pilePoints([...pile, first, card]) - pilePoints(pile);
  }

  /** @param {number} card in the seat's hand or on the table that cannot be chosen @returns {Obstacle} */
  obstacle(card) {
    if (this.kind === null) return "no_kind";
    if (this.kind !== "pair") return "from_hand";
    const [first] = [...this.played, ...this.chosen];
    if (!this.view.table.includes(card)) return this.played.length > 0 ? "first_played" : "no_partner";
    return first === undefined ? "hand_first" : "other_suit";
  }

  /** @param {MoveKind} kind chosen or deselected */
  take(kind) {
    this.chosen = [];
    this.kind = this.kind === kind ? this.usual : kind;
  }

  cancel() {
    this.chosen = [];
    this.kind = this.usual;
  }

  /** @param {number} card @returns {string[] | null} the moves to play; null until the choice is complete */
  choose(card) {
    const { kind } = this;
    if (kind === null) return null;
    if (this.chosen.includes(card)) this.chosen = this.chosen.filter((other) => other !== card);
    else if (this.table.includes(card)) this.chosen.push(card);
    else if (this.hand.includes(card)) this.chosen = kind === "capture" ? [...this.chosen, card] : [card];
    if (this.played.length + this.chosen.length < NEEDED[kind]) return null;
    const enter = this.view.stage === "init" ? [/** @type {string} */ (this.open[kind])] : [];
    return [...enter, ...this.chosen.map(cardName)];
  }
}

/** @param {string} move @returns {boolean} */
export const isCard = (move) => cardOf(move) >= 0;
