/**
 * The reader's own match: legal moves, sending them to the server, hints, the clock.
 *
 * Invariants: matches/match.js shows the match and does not depend on this module; without scripts, the page's forms do
 * the same. A move that did not reach the server is resent until it does or the turn is over; the server accepts it
 * only once.
 */
import { REFRESHED, refreshParts } from "../live/refresh.js";
import { SeatClocks } from "../matches/seat-clocks.js";
import { element, pageData, part, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { Outbox, turnState, hasMoved, isSame, plainLabel, readMove } from "./model.js";

const WAITING_MS = 10_000;
const HINT_AGAIN_MS = 500;
const MAX_HINT_POLLS = 30;

/** @typedef {import("../matches/game-view.js").Move} Move */
/** @typedef {{answer: Move, label: string, more?: boolean}} Hint `more`: the page has something to add */

/**
 * The detail of the event `match-shown`.
 * @typedef {object} Shown
 * @property {import("../matches/match-model.js").MatchModel} model
 * @property {boolean} following
 * @property {import("../matches/game-view.js").GameView} view
 * @property {import("../matches/game-view.js").GameModule} game
 */

class Duel {
  /** @param {HTMLElement} root templates/play/duel.html @param {HTMLElement} match matches/match_view.html */
  constructor(root, match) {
    this.root = root;
    this.match = match;
    this.table = pageData(root.dataset.duel ?? "");
    /** @type {import("../matches/game-view.js").MoveInput | undefined} how the game's view lets a person play */
    this.moveInput = undefined;
    /** @type {import("../matches/game-view.js").GameModule | undefined} */
    this.game = undefined;
    this.form = /** @type {HTMLFormElement} */ (part(root, "moves-form"));
    this.hintForm = /** @type {HTMLFormElement | null} */ (part(root, "hint-form")); // absent in games without hints
    /** @type {SeatClocks | null} */
    this.clocks = null;
    /** @type {Shown | undefined} */
    this.shown = undefined;
    this.requestedTurn = 0; // the turn whose moves the server was asked to render
    this.outbox = new Outbox();
    this.message = "";
    this.title = document.title;
    this.turn = 0;
    /** @type {import("./model.js").Phase | null} null until the match is shown */
    this.phase = null;
    this.isMine = false;
    /** @type {Move[]} */
    this.legal = [];
    this.following = true;
    /** @type {string | null} the move whose button had the focus when the buttons were hidden */
    this.focus = null;
    setInterval(() => this.phase === "waiting" && refreshParts(), WAITING_MS); // updates how many matches are ahead
    /** @type {Hint | null} */
    this.hint = this.table.hint;
    match.addEventListener("match-shown", (event) => this.#show(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener(REFRESHED, () => this.#offer()); // the server may have rendered it before this turn
    this.form.addEventListener("submit", (event) => this.#submitted(event));
    this.hintForm?.addEventListener("submit", (event) => this.#askHint(event));
  }

  /** @param {Shown} shown */
  #show(shown) {
    const { model, following, view, game } = shown;
    this.shown = shown;
    this.game = game;
    this.moveInput = view.moveInput;
    const { phase, turn, legal } = turnState(model, (now, next) => this.#legalMoves(now, next), this.table.stored_turns);
    const lost = this.outbox.arrived(model, this.table.seat);
    if (lost) this.#showMessage(lostSentence(lost, this.#label(lost.move), model));
    if (turn !== this.turn) {
      if (this.turn) this.#forgetHint();
      this.turn = turn;
    }
    this.phase = phase;
    if (phase !== "waiting") delete this.root.dataset.takingBack; // from now on, waiting has another cause
    this.following = following;
    this.isMine = this.phase === "mine" && this.outbox.pending === null;
    this.legal = this.isMine ? legal : [];
    this.root.hidden = this.phase === "over";
    this.#refreshNotice();
    this.#open(this.isMine);
    this.#offer();
    this.#keepFocus();
    this.#allowTakeBack(model);
    this.#drawServersMoves(phase, turn);
    this.#showClock(shown);
    this.moveInput?.offer(following ? this.legal : [], (move) => this.#play(move));
    setText(part(this.root, "state"), this.#sentence());
    if (this.phase !== "over") document.title = this.isMine ? `● ${this.title}` : this.title; // after the end, the title shows the result
    this.#markHint();
  }

  /**
   * Refresh the notice: the server may have rendered the page before the match started, and its snapshot after that.
   */
  #refreshNotice() {
    if (this.phase !== "waiting" && document.querySelector("#duel-notice [data-ahead]")) refreshParts();
  }

  /**
   * @param {any} view
   * @param {number} turn the next one
   * @returns {Move[] | null} null if it is not the person's turn, as far as the page knows
   */
  #legalMoves(view, turn) {
    if (this.game?.legalMoves) {
      const legal = this.game.legalMoves(view, this.table.seat);
      return legal.length > 0 ? legal : null;
    }
    const drawn = this.#drawnFor(turn);
    if (drawn === null) return this.game?.seatsToMove?.(view).includes(this.table.seat) ? [] : null;
    if (!("mine" in drawn.dataset)) return null;
    return [...drawn.querySelectorAll("button")].filter(({ name }) => name === "move").map(({ value }) => readMove(value));
  }

  /** @param {number} turn @returns {HTMLElement | null} the moves that the server rendered for this turn */
  #drawnFor(turn) {
    const drawn = /** @type {HTMLElement | null} */ (part(this.root, "answer"));
    return drawn?.dataset.turn === String(turn) ? drawn : null;
  }

  /**
   * Draw moves that the page cannot render, because the game's script does not list them or the game has its own form:
   * they come from the server, with one request per turn.
   * @param {import("./model.js").Phase} phase
   * @param {number} turn
   */
  async #drawServersMoves(phase, turn) {
    if (phase === "waiting" || phase === "over" || this.#canDrawMoves() || this.requestedTurn === turn) return;
    this.requestedTurn = turn;
    if (this.#drawnFor(turn)) return;
    await refreshParts();
    if (this.turn === turn && this.shown) this.#show(this.shown);
  }

  #canDrawMoves() {
    return Boolean(this.game?.legalMoves && part(this.root, "legal"));
  }

  /** @param {Shown["model"]} model */
  #allowTakeBack(model) {
    const button = /** @type {HTMLButtonElement | null} */ (part(this.root, "take-back")); // absent in games without it
    if (button) button.disabled = !hasMoved(model, this.table.seat);
  }

  /** @param {Shown} shown */
  #showClock({ model, game }) {
    if (game.seatsToMove) return; // then the match page runs all clocks
    const places = /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-clock-seat]"));
    const shown = model.seats.map((seat) => (seat.index === this.table.seat ? [...places] : []));
    this.clocks ??= new SeatClocks(shown, model, () => (this.phase === "mine" ? [this.table.seat] : []));
    this.clocks.show(model.last);
  }

  /** @param {Move} move @returns {string} its button's label */
  #label(move) {
    const button = [...this.form.querySelectorAll("button")].find(({ name, value }) => name === "move" && isSame(readMove(value), move));
    return button?.textContent?.trim() || this.game?.moveLabel?.(move) || plainLabel(move);
  }

  /**
   * @param {boolean} isMine whether moves and hints are available; their space stays reserved, so that nothing jumps
   */
  #open(isMine) {
    const focused = document.activeElement;
    if (!isMine && this.form.contains(focused)) this.focus = /** @type {HTMLButtonElement} */ (focused).value;
    const isDrawn = isMine && (this.#canDrawMoves() || this.#drawnFor(this.turn) !== null);
    this.form.classList.toggle("is-idle", !isDrawn);
    this.hintForm?.classList.toggle("is-idle", !isMine);
  }

  /** Restore the focus on the next turn: hiding the buttons took it away from them. */
  #keepFocus() {
    if (!this.isMine || this.focus === null) return;
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const buttons = [...this.form.querySelectorAll("button")];
    if (isFree) (buttons.find((button) => button.value === this.focus) ?? buttons[0])?.focus({ preventScroll: true });
    this.focus = null;
  }

  #sentence() {
    if (this.outbox.pending) return interpolate(gettext("You play %s."), [this.#label(this.outbox.pending.move)]);
    if (this.phase === "waiting") return "takingBack" in this.root.dataset ? gettext("Taking back your move.") : gettext("Waiting for a free worker.");
    if (this.phase === "theirs") return this.#waitingFor();
    if (!this.following) return gettext("Your move. To play on the board, go to the latest position.");
    const { seatLabel } = this.root.dataset;
    return seatLabel ? interpolate(gettext("Your move. You play %s."), [seatLabel]) : gettext("Your move.");
  }

  #waitingFor() {
    const seats = Number(this.root.dataset.seats);
    if (seats === 1) return gettext("Preparing your next move.");
    return seats > 2 ? gettext("The others are thinking.") : gettext("The bot is thinking.");
  }

  /** Show the legal moves as buttons, for players who cannot click the board. */
  #offer() {
    const container = /** @type {HTMLElement | null} */ (part(this.root, "legal"));
    if (container === null || !this.#canDrawMoves() || this.legal.length === 0) return;
    const shown = [...container.querySelectorAll("button")].map((button) => readMove(button.value));
    if (isSame(shown, this.legal)) return;
    const button = (/** @type {Move} */ move) =>
      element("button", { class: "button button--small", name: "move", value: JSON.stringify(move) }, this.game?.moveLabel?.(move) ?? plainLabel(move));
    container.replaceChildren(...this.legal.map(button));
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    event.preventDefault();
    const entered = new FormData(this.form, event.submitter).get("move");
    if (typeof entered === "string" && entered.trim() !== "") this.#play(readMove(entered));
  }

  /** @param {Move} move */
  #play(move) {
    if (!this.outbox.put(this.turn, move)) return;
    this.#showMessage("");
    this.isMine = false;
    this.legal = [];
    this.#open(false);
    this.moveInput?.offer([], () => {});
    setText(part(this.root, "state"), this.#sentence());
    this.#send(this.turn, move);
  }

  /**
   * Resend the move until the server accepts or refuses it, or the match has moved on: the server accepts one move per
   * turn number.
   * @param {number} turn
   * @param {Move} move
   */
  async #send(turn, move) {
    const isWanted = () => this.outbox.pending?.turn === turn;
    const again = gettext("Your move has not reached the arena yet. It is being resent; your clock keeps running.");
    const patience = { tries: Infinity, isWanted, onAgain: () => this.#showMessage(again) };
    const answer = await send(this.form.action, request(this.form, { turn, move: JSON.stringify(move) }), patience);
    if (!isWanted()) {
      if (this.message === again) this.#showMessage("");
    } else if (answer.state === "refused") {
      this.outbox.refused(turn);
      this.#showMessage(answer.reason);
      this.match.dispatchEvent(new CustomEvent("match-show-again"));
    } else {
      if (answer.state === "done") this.outbox.accepted(turn, answer.body.move);
      this.#showMessage("");
    }
  }

  /** @param {SubmitEvent} event */
  async #askHint(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (this.hintForm);
    const turn = this.turn;
    const container = part(this.root, "hint");
    for (let poll = 0; poll < MAX_HINT_POLLS && this.turn === turn && this.isMine; poll += 1) {
      const answer = await send(form.action, request(form, { turn }));
      if (this.turn !== turn) return;
      if (answer.state === "refused") {
        setText(container, answer.reason);
        return;
      }
      if (answer.state === "done" && answer.body.hint) {
        this.#showHint(answer.body.hint);
        if (answer.body.hint.more) await refreshParts();
        return;
      }
      setText(container, gettext("The hint is being computed…"));
      await new Promise((resolve) => setTimeout(resolve, HINT_AGAIN_MS));
    }
    if (this.turn === turn && this.isMine) setText(container, gettext("The hint did not arrive. Ask again."));
  }

  /** @param {Hint | null} hint */
  #showHint(hint) {
    this.hint = hint;
    setText(part(this.root, "hint"), hint ? interpolate(gettext("Hint: %s"), [hint.label]) : "");
    this.#markHint();
  }

  #forgetHint() {
    this.#showHint(null);
    part(this.root, "advice")?.replaceChildren();
  }

  #markHint() {
    this.moveInput?.hint(this.isMine ? (this.hint?.answer ?? null) : null);
  }

  /** @param {string} text the error to show until the reader plays again, "" for none */
  #showMessage(text) {
    const container = part(this.match, "duel-error"); // outside the panel, which is hidden once the match is over
    this.message = text;
    if (container) container.hidden = text === "";
    setText(container, text);
  }
}

/** @param {import("./model.js").Sent} lost @param {string} move its label @param {import("../matches/match-model.js").MatchModel} model */
function lostSentence({ turn }, move, model) {
  if (turn > model.last) return interpolate(gettext("Your move %s did not count: the match is over."), [move]);
  return interpolate(gettext("Your move %s did not count: it arrived too late."), [move]);
}

/** @param {HTMLFormElement} form with the CSRF token @param {Record<string, string | number>} fields */
function request(form, fields) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  return { method: "POST", body, headers: { Accept: "application/json" } };
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-duel]"));
const match = /** @type {HTMLElement | null} */ (document.querySelector("[data-match]"));
if (root && match) new Duel(root, match);
