/**
 * One's own game against a bot: squares that can be played, the move's way to the server, hints.
 *
 * Invariants: matches/match.js shows the match and knows nothing of this; the forms of the page do all of it without scripts.
 * A move that did not get through is sent again until it did or the turn is over: the server takes it once.
 */
import { refreshParts } from "../live/refresh.js";
import { element, pageData, part, setText } from "../site/dom.js";
import { SEND_AGAIN_MS, Outbox, choice, phase } from "./model.js";

const WAITING_MS = 10_000;
const HINT_AGAIN_MS = 500;
const MOST_HINT_LOOKS = 30;

class Duel {
  /** @param {HTMLElement} root templates/duels/duel.html @param {HTMLElement} match components/match_view.html */
  constructor(root, match) {
    this.root = root;
    this.match = match;
    this.table = pageData(root.dataset.duel ?? "");
    this.board = /** @type {HTMLElement} */ (match.querySelector("[data-reversi-board]"));
    this.form = /** @type {HTMLFormElement} */ (part(root, "moves-form"));
    this.hintForm = /** @type {HTMLFormElement} */ (part(root, "hint-form"));
    this.outbox = new Outbox();
    this.title = document.title;
    this.turn = 0;
    this.following = true;
    setInterval(() => this.phase === "waiting" && refreshParts(), WAITING_MS); // how many games begin before
    this.hint = this.table.hint ?? "";
    match.addEventListener("match-shown", (event) => this.#show(/** @type {CustomEvent} */ (event).detail));
    this.form.addEventListener("submit", (event) => this.#submitted(event));
    this.hintForm.addEventListener("submit", (event) => this.#askHint(event));
    this.board.addEventListener("click", (event) => this.#clicked(event));
  }

  /** @param {{model: import("../games/match-model.js").MatchModel, following: boolean}} shown */
  #show({ model, following }) {
    const { turn, legal } = choice(model);
    this.outbox.arrived(turn);
    if (turn !== this.turn) {
      this.#say("");
      if (this.turn) this.#showHint("");
      this.turn = turn;
    }
    this.phase = phase(model, this.table.color);
    this.following = following;
    this.isMine = this.phase === "mine" && this.outbox.pending === null;
    this.legal = this.isMine ? legal : [];
    this.root.hidden = this.phase === "over";
    this.#open(this.isMine);
    this.#offer();
    this.board.classList.toggle("is-playable", this.isMine && following);
    setText(part(this.root, "state"), this.#sentence());
    document.title = this.isMine ? `● ${this.title}` : this.title;
    this.#markHint();
  }

  /** @param {boolean} isMine whether moves and hints can be asked for; their place stays, so that nothing jumps */
  #open(isMine) {
    for (const form of [this.form, this.hintForm]) form.classList.toggle("is-idle", !isMine);
  }

  #sentence() {
    if (this.outbox.pending) return interpolate(gettext("You play %s."), [this.outbox.pending.move]);
    if (this.phase === "waiting") return gettext("Waiting for a place.");
    if (this.phase === "theirs") return gettext("The bot is thinking.");
    if (!this.following) return gettext("Your move. To play on the board, go to its newest turn.");
    return this.table.color === "X" ? gettext("Your move: you play black.") : gettext("Your move: you play white.");
  }

  /** The legal moves as buttons, for whoever does not point at a board. */
  #offer() {
    const holder = /** @type {HTMLElement} */ (part(this.root, "legal"));
    const shown = [...holder.querySelectorAll("button")].map((button) => button.value).join();
    if (shown === this.legal.join() || this.legal.length === 0) return;
    const button = (move) => element("button", { class: "button button--small", name: "move", value: move }, move);
    holder.replaceChildren(...this.legal.map(button));
  }

  #clicked(event) {
    const square = /** @type {HTMLElement | null} */ (event.target.closest("[data-square]"));
    const move = square?.dataset.square ?? "";
    if (this.board.classList.contains("is-playable") && this.legal.includes(move)) this.#play(move);
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
    this.isMine = false;
    this.legal = [];
    this.#open(false);
    this.board.classList.remove("is-playable");
    setText(part(this.root, "state"), this.#sentence());
    this.#send(this.turn, move);
  }

  /** Until the server has it, refuses it, or the match has gone on. */
  async #send(turn, move) {
    if (this.outbox.pending?.turn !== turn) return;
    const answer = await post(this.form, { turn: String(turn), move });
    if (answer === null) {
      this.#say(gettext("Your move has not reached the arena yet. It is sent again; only your clock runs."));
      setTimeout(() => this.#send(turn, move), SEND_AGAIN_MS);
    } else if (answer.error) {
      this.outbox.refused(turn);
      this.#say(answer.error);
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
      const answer = await post(this.hintForm, {});
      if (this.turn !== turn) return;
      if (answer?.error) setText(holder, answer.error);
      if (answer?.error) return;
      if (answer?.hint) {
        this.#showHint(answer.hint);
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
    for (const square of this.board.querySelectorAll(".is-hint")) square.classList.remove("is-hint");
    if (this.hint && this.isMine) this.board.querySelector(`[data-square="${this.hint}"]`)?.classList.add("is-hint");
  }

  /** @param {string} text what went wrong; "" nothing */
  #say(text) {
    const holder = part(this.root, "error");
    if (holder) holder.hidden = text === "";
    setText(holder, text);
  }
}

/**
 * @param {HTMLFormElement} form with the token that the server asks for
 * @param {Record<string, string>} fields
 * @returns {Promise<any>} the answer, `{error}` where it is a refusal, null where there was none
 */
async function post(form, fields) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, signal });
    if (answer.status === 409 || answer.ok) return await answer.json();
    if (answer.status === 403 || answer.status === 404) return { error: gettext("This game is not yours any more here. Reload the page.") };
    return null;
  } catch {
    return null;
  }
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-duel]"));
const match = /** @type {HTMLElement | null} */ (document.querySelector("[data-match]"));
if (root && match) new Duel(root, match);
