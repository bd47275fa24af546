/**
 * One's own game against a bot: moves that can be made, their way to the server, hints.
 *
 * Invariants: matches/match.js shows the match and knows nothing of this; the forms of the page do all of it without scripts.
 * A move that did not get through is sent again until it did or the turn is over: the server takes it once.
 */
import { refreshParts } from "../live/refresh.js";
import { element, pageData, part, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { Outbox, choice } from "./model.js";

const WAITING_MS = 10_000;
const HINT_AGAIN_MS = 500;
const MOST_HINT_LOOKS = 30;

/**
 * What `match-shown` says.
 * @typedef {object} Shown
 * @property {import("../matches/match-model.js").MatchModel} model
 * @property {boolean} following
 * @property {import("../matches/game-view.js").GameView} view
 * @property {import("../matches/game-view.js").GameModule} game
 */

class Duel {
  /** @param {HTMLElement} root templates/play/duel.html @param {HTMLElement} match components/match_view.html */
  constructor(root, match) {
    this.root = root;
    this.match = match;
    this.table = pageData(root.dataset.duel ?? "");
    /** @type {import("../matches/game-view.js").Playing | undefined} how the game's view lets a person play */
    this.playing = undefined;
    this.form = /** @type {HTMLFormElement} */ (part(root, "moves-form"));
    this.hintForm = /** @type {HTMLFormElement} */ (part(root, "hint-form"));
    this.outbox = new Outbox();
    this.said = "";
    this.title = document.title;
    this.turn = 0;
    /** @type {import("./model.js").Phase | null} null until the match is shown */
    this.phase = null;
    this.isMine = false;
    /** @type {string[]} */
    this.legal = [];
    this.following = true;
    /** @type {string | null} the move whose button had the focus when the buttons were hidden */
    this.focus = null;
    setInterval(() => this.phase === "waiting" && refreshParts(), WAITING_MS); // how many games begin before
    this.hint = this.table.hint ?? "";
    match.addEventListener("match-shown", (event) => this.#show(/** @type {CustomEvent} */ (event).detail));
    this.form.addEventListener("submit", (event) => this.#submitted(event));
    this.hintForm.addEventListener("submit", (event) => this.#askHint(event));
  }

  /** @param {Shown} shown */
  #show({ model, following, view, game }) {
    this.playing = view.playing;
    const { phase, turn, legal } = choice(model, (shown) => game.legalMoves?.(shown, this.table.seat) ?? []);
    const lost = this.outbox.arrived(model, this.table.seat);
    if (lost) this.#say(lostSentence(lost, model));
    if (turn !== this.turn) {
      if (this.turn) this.#showHint("");
      this.turn = turn;
    }
    this.phase = phase;
    this.following = following;
    this.isMine = this.phase === "mine" && this.outbox.pending === null;
    this.legal = this.isMine ? legal : [];
    this.root.hidden = this.phase === "over";
    this.#open(this.isMine);
    this.#offer();
    this.#keepFocus();
    this.playing?.offer(following ? this.legal : [], (move) => this.#play(move));
    setText(part(this.root, "state"), this.#sentence());
    if (this.phase !== "over") document.title = this.isMine ? `● ${this.title}` : this.title; // then it tells the result
    this.#markHint();
  }

  /** @param {boolean} isMine whether moves and hints can be asked for; their place stays, so that nothing jumps */
  #open(isMine) {
    const focused = document.activeElement;
    if (!isMine && this.form.contains(focused)) this.focus = /** @type {HTMLButtonElement} */ (focused).value;
    for (const form of [this.form, this.hintForm]) form.classList.toggle("is-idle", !isMine);
  }

  /** Hiding the buttons took the focus from whoever plays with them: it comes back with the next turn. */
  #keepFocus() {
    if (!this.isMine || this.focus === null) return;
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const buttons = [...this.form.querySelectorAll("button")];
    if (isFree) (buttons.find((button) => button.value === this.focus) ?? buttons[0])?.focus({ preventScroll: true });
    this.focus = null;
  }

  #sentence() {
    if (this.outbox.pending) return interpolate(gettext("You play %s."), [this.outbox.pending.move]);
    if (this.phase === "waiting") return gettext("Waiting for a place.");
    if (this.phase === "theirs") return gettext("The bot is thinking.");
    if (!this.following) return gettext("Your move. To play on the board, go to its newest turn.");
    const { seatLabel } = this.root.dataset;
    return seatLabel ? interpolate(gettext("Your move. You play %s."), [seatLabel]) : gettext("Your move.");
  }

  /** The legal moves as buttons, for whoever does not point at a board. */
  #offer() {
    const holder = /** @type {HTMLElement} */ (part(this.root, "legal"));
    const shown = [...holder.querySelectorAll("button")].map((button) => button.value).join();
    if (shown === this.legal.join() || this.legal.length === 0) return;
    const button = (/** @type {string} */ move) => element("button", { class: "button button--small", name: "move", value: move }, move);
    holder.replaceChildren(...this.legal.map(button));
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (button) this.#play(button.value);
  }

  /** @param {string} move */
  #play(move) {
    if (!this.outbox.put(this.turn, move)) return;
    this.#say("");
    this.isMine = false;
    this.legal = [];
    this.#open(false);
    this.playing?.offer([], () => {});
    setText(part(this.root, "state"), this.#sentence());
    this.#send(this.turn, move);
  }

  /**
   * Until the server has it, refuses it, or the match has gone on: under one turn's number it takes one move.
   * @param {number} turn
   * @param {string} move
   */
  async #send(turn, move) {
    const isWanted = () => this.outbox.pending?.turn === turn;
    const again = gettext("Your move has not reached the arena yet. It is sent again; only your clock runs.");
    const patience = { tries: Infinity, isWanted, onAgain: () => this.#say(again) };
    const answer = await send(this.form.action, request(this.form, { turn, move }), patience);
    if (!isWanted()) {
      if (this.said === again) this.#say("");
    } else if (answer.state === "refused") {
      this.outbox.refused(turn);
      this.#say(answer.reason);
      this.match.dispatchEvent(new CustomEvent("match-show-again"));
    } else {
      this.#say("");
    }
  }

  /** @param {SubmitEvent} event */
  async #askHint(event) {
    event.preventDefault();
    const turn = this.turn;
    const holder = part(this.root, "hint");
    for (let look = 0; look < MOST_HINT_LOOKS && this.turn === turn && this.isMine; look += 1) {
      const answer = await send(this.hintForm.action, request(this.hintForm, { turn }));
      if (this.turn !== turn) return;
      if (answer.state === "refused") {
        setText(holder, answer.reason);
        return;
      }
      if (answer.state === "done" && answer.body.hint) {
        this.#showHint(answer.body.hint);
        return;
      }
      setText(holder, gettext("The house is thinking about it…"));
      await new Promise((resolve) => setTimeout(resolve, HINT_AGAIN_MS));
    }
    if (this.turn === turn && this.isMine) setText(holder, gettext("No hint came. Ask again."));
  }

  /** @param {string} move "" none */
  #showHint(move) {
    this.hint = move;
    setText(part(this.root, "hint"), move ? interpolate(gettext("The house would play %s."), [move]) : "");
    this.#markHint();
  }

  #markHint() {
    this.playing?.hint(this.isMine ? this.hint : "");
  }

  /** @param {string} text what went wrong, until the reader plays again; "" nothing */
  #say(text) {
    const holder = part(this.match, "duel-error"); // outside of the panel, which is hidden once the game is over
    this.said = text;
    if (holder) holder.hidden = text === "";
    setText(holder, text);
  }
}

/** @param {{turn: number, move: string}} lost @param {import("../matches/match-model.js").MatchModel} model */
function lostSentence({ turn, move }, model) {
  if (turn > model.last) return interpolate(gettext("Your move %s did not count: the game is over."), [move]);
  return interpolate(gettext("Your move %(move)s did not count: turn %(turn)s was already over."), { turn, move }, true);
}

/** @param {HTMLFormElement} form with the token that the server asks for @param {Record<string, string | number>} fields */
function request(form, fields) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  return { method: "POST", body, headers: { Accept: "application/json" } };
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-duel]"));
const match = /** @type {HTMLElement | null} */ (document.querySelector("[data-match]"));
if (root && match) new Duel(root, match);
