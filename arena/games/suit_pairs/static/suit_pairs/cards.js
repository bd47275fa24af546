/** Names, labels and elements of cards numbered suit * 13 + rank - 1. */
import { element } from "#site/dom.js";

const SUITS = "CDHS"; // clubs, diamonds, hearts, spades
const SYMBOLS = "♣♦♥♠";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SET = 3; // cards of one rank that earn extra points
const POINTS = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5]; // by rank, from the ace
const SET_POINTS = 4; // for the third and for the fourth card of a rank

/** @param {number} card */
export const suitOf = (card) => Math.floor(card / RANKS.length);

/** @param {number} card */
export const rankOf = (card) => card % RANKS.length;

/** @param {number} card @returns {string} in the rules' notation, "10H" */
export const cardName = (card) => RANKS[rankOf(card)] + SUITS[suitOf(card)];

/** @param {number} card @returns {string} as displayed, "10♥" */
export const cardLabel = (card) => RANKS[rankOf(card)] + SYMBOLS[suitOf(card)];

/** @param {string} move in the rules' notation @returns {number} the card, -1 for a stage */
export function cardOf(move) {
  const rank = RANKS.indexOf(move.slice(0, -1));
  const suit = SUITS.indexOf(move.slice(-1));
  return rank < 0 || suit < 0 ? -1 : suit * RANKS.length + rank;
}

/** @param {number[]} cards @param {number} card @returns {number[]} the cards of the same suit */
export const partners = (cards, card) => cards.filter((other) => suitOf(other) === suitOf(card));

const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);

/** @param {number} card @returns {number} its points, without a set */
export const cardPoints = (card) => POINTS[rankOf(card)];

/** @param {number} count of cards of one rank in a pile @returns {number} the extra points for them */
export const setPoints = (count) => SET_POINTS * Math.max(0, count - SET + 1);

/** @param {number[]} cards @returns {number} the value of a pile of these cards, by the rules */
export function pilePoints(cards) {
  const counts = RANKS.map((_, rank) => cards.filter((card) => rankOf(card) === rank).length);
  return sum(cards.map(cardPoints)) + sum(counts.map(setPoints));
}

/** @param {number} card @param {boolean} isButton @returns {HTMLElement} the card face up */
export function cardElement(card, isButton = false) {
  const suit = SUITS[suitOf(card)];
  return element(
    isButton ? "button" : "span",
    { class: "playing-card", type: isButton ? "button" : null, "data-suit": suit, "data-card": cardName(card), "data-corner": cardLabel(card) },
    element("span", { class: "playing-card__rank" }, RANKS[rankOf(card)]),
    element("span", { class: "playing-card__suit" }, SYMBOLS[suitOf(card)]),
  );
}

/** @returns {HTMLElement} */
export function hiddenCard() {
  const words = element("span", { class: "visually-hidden" }, gettext("face down"));
  return element("span", { class: "playing-card is-back" }, words);
}

/**
 * Return the elements of a pile's ranks. Each rank is one target for pointer and focus, because its suits are too small
 * for a finger.
 * @param {number[]} cards of a pile @returns {HTMLElement[]} an element per rank, aces first
 */
export function pileParts(cards) {
  return RANKS.flatMap((name, rank) => {
    const found = cards.filter((card) => rankOf(card) === rank);
    if (found.length === 0) return [];
    const suits = found.map((card) =>
      element("span", { class: "pile__suit", "data-suit": SUITS[suitOf(card)], "data-card": cardName(card) }, SYMBOLS[suitOf(card)]),
    );
    const names = found.map(cardName).join(" ");
    const target = element("span", { class: found.length < SET ? "pile__rank" : "pile__rank is-set", "data-cards": names }, element("span", {}, name), ...suits);
    return [element("li", {}, target)];
  });
}
