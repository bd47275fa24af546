/**
 * The controls of a person at the table: cards to click, stage buttons, and the moves that make up a choice.
 *
 * Invariant: a choice of several moves is played one move at a time, each when the rules ask for it.
 */
import { element, part, setText } from "#site/dom.js";
import { cardLabel } from "./cards.js";
import { Selection } from "./selection.js";

/** @typedef {import("./selection.js").MoveKind} MoveKind */

export class Hand {
  /** @param {HTMLElement} display @param {import("./table.js").CardTable} table @param {number} seat */
  constructor(display, table, seat) {
    this.place = part(display, "play");
    this.advice = part(display, "advice");
    this.actions = part(display, "actions");
    this.table = table;
    this.seat = seat;
    /** @type {string[]} moves of a choice that are still to be played */
    this.plan = [];
    /** @type {Selection | null} */
    this.selection = null;
    /** @type {(move: string) => void} */
    this.play = () => {};
    this.byKeyboard = false;
    display.addEventListener("keydown", (event) => this.#key(event));
    display.addEventListener("pointerdown", () => {
      this.byKeyboard = false;
    });
    if (this.place) this.place.hidden = false;
  }

  /**
   * @param {string[]} legal
   * @param {(move: string) => void} play
   * @returns {boolean} whether a planned move was played
   */
  playNext(legal, play) {
    const [next, ...rest] = this.plan;
    if (next === undefined || !legal.includes(next)) {
      this.plan = [];
      return false;
    }
    this.plan = rest;
    play(next);
    return true;
  }

  /**
   * Keep the selection if the position is the same: the page offers a turn again whenever it refreshes other parts.
   * @param {any} view at the person's turn
   * @param {(move: string) => void} play
   */
  open(view, play) {
    if (!this.selection?.isFor(view)) this.selection = new Selection(view, this.seat);
    this.play = play;
    this.#draw();
  }

  close() {
    if (this.selection === null) return;
    this.selection = null;
    this.table.offer(null);
    this.actions?.replaceChildren();
    setText(this.advice, "");
  }

  #draw() {
    const { selection } = this;
    if (selection === null) return;
    this.table.offer({
      hand: selection.hand,
      table: selection.table,
      chosen: selection.chosen,
      seat: this.seat,
      gain: (card) => selection.gain(card),
      onPick: (card) => this.#pick(card),
      onRefused: (card) => setText(this.advice, obstacleText(selection.obstacle(card), card)),
    });
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.kind;
    const buttons = selection.kinds.filter((kind) => kind !== "pair").map((kind) => this.#button(kind, selection));
    const back = element("button", { type: "button", class: "button button--small button--quiet", "data-kind": "back" }, gettext("Clear selection"));
    back.addEventListener("click", () => this.#cancel());
    this.actions?.replaceChildren(...buttons, ...(selection.isPartial ? [back] : []));
    if (focused) /** @type {HTMLElement | null} */ (this.actions?.querySelector(`[data-kind="${focused}"]`))?.focus();
    setText(this.advice, adviceOf(selection));
    this.#keepFocus();
  }

  /** Move a keyboard user's focus to the hand if the focused card or button is gone. */
  #keepFocus() {
    if (!this.byKeyboard || (document.activeElement ?? document.body) !== document.body) return;
    const { root } = this.table;
    const next = root.querySelector(`[data-player="${this.seat}"] button.playing-card`) ?? root.querySelector("button.playing-card") ?? this.actions?.querySelector("button");
    /** @type {HTMLElement | null | undefined} */ (next)?.focus();
  }

  /** @param {MoveKind} kind @param {Selection} selection */
  #button(kind, selection) {
    const made = element(
      "button",
      { type: "button", class: "button button--small", "data-kind": kind, "data-stage": selection.open[kind] ?? "", "aria-pressed": String(selection.kind === kind) },
      kindLabel(kind),
    );
    made.addEventListener("click", () => {
      selection.take(kind);
      this.#draw();
    });
    return made;
  }

  /** @param {number} card */
  #pick(card) {
    const moves = this.selection?.choose(card);
    if (!moves) {
      this.#draw();
      return;
    }
    const { play } = this;
    const [first, ...rest] = moves;
    this.close();
    this.plan = rest;
    play(first);
  }

  #cancel() {
    this.selection?.cancel();
    this.#draw();
  }

  /**
   * Handle keys: Escape cancels; left and right move between cards, up and down between hand and table.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    this.byKeyboard = true;
    if (this.selection === null) return;
    if (event.key === "Escape" && this.selection.isPartial) {
      event.preventDefault();
      this.#cancel();
    }
    const cards = [.../** @type {NodeListOf<HTMLElement>} */ (this.table.root.querySelectorAll("button.playing-card"))];
    const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0 || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const row = cards[at].closest("ul");
    const next = step === undefined ? cards.find((card) => card.closest("ul") !== row) : cards[(at + step + cards.length) % cards.length];
    next?.focus();
  }
}

/** @param {MoveKind} kind @returns {string} */
function kindLabel(kind) {
  const labels = {
    pair: pgettext("card game", "Pair"),
    pass: gettext("Discard and end the turn"),
    discard: pgettext("card game", "Discard"),
    swap: pgettext("card game", "Swap"),
    capture: pgettext("card game", "Capture"),
  };
  return labels[kind];
}

/**
 * @param {import("./selection.js").Obstacle} obstacle
 * @param {number} card the clicked one
 * @returns {string} why the card cannot be chosen
 */
function obstacleText(obstacle, card) {
  const texts = {
    no_kind: gettext("First choose an action with one of the buttons."),
    from_hand: gettext("Choose a card from your hand, not from the table."),
    first_played: gettext("You have already played your first card. Now choose a card of the same suit on the table."),
    no_partner: gettext("%s cannot be paired: no card of the same suit is on the table."),
    hand_first: gettext("First choose a card from your hand."),
    other_suit: gettext("%s has a different suit. A pair needs two cards of the same suit."),
  };
  return texts[obstacle].replace("%s", cardLabel(card));
}

/** @param {Selection} selection @returns {string} what to click next */
function adviceOf({ kind, played, chosen, kinds }) {
  const isSecond = played.length + chosen.length > 0;
  const texts = {
    pair: isSecond ? gettext("Now choose a card of the same suit on the table.") : gettext("Choose a card from your hand to pair."),
    pass: gettext("You cannot pair. Choose a card to discard; this will end your turn."),
    discard: gettext("You cannot pair. Choose a card to discard; two new ones will be drawn."),
    swap: gettext("Choose a card to put on the table; you will draw a new one."),
    capture: isSecond ? gettext("Choose the second card for your pile.") : gettext("Choose two cards from your hand for your pile."),
  };
  if (kind !== null) return texts[kind];
  return kinds.length > 1 ? gettext("None of your cards can be paired. Choose what to do.") : "";
}
