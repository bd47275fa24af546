/**
 * The board of a run: live while it is played, then a replay, with the bot's output beside it.
 *
 * Invariants: while `following`, the newest turn is shown; each match of a run resets the board.
 */
import { connect } from "../live/connection.js";
import { matchStatusLabel } from "../live/labels.js";
import { turnText } from "../matches/game-view.js";
import { MatchModel } from "../matches/match-model.js";
import { ReplayControls } from "../matches/replay-controls.js";
import { pageData, part, prefersReducedMotion, setText } from "../site/dom.js";
import { request } from "../site/requests.js";
import { showScore } from "./output.js";
import { moveIdentities, playersOf, previousSeats } from "./seating.js";

export class RunBoard {
  /**
   * @param {HTMLElement} root studio/run.html
   * @param {import("../matches/game-view.js").GameModule} game
   * @param {import("./output.js").Output} output
   * @param {{onEnd: () => void}} options `onEnd`: called once the run is over
   */
  constructor(root, game, output, { onEnd }) {
    this.root = root;
    this.game = game;
    this.output = output;
    this.onEnd = onEnd;
    const snapshot = pageData("run-snapshot");
    this.model = new MatchModel(snapshot);
    this.players = playersOf(this.model.seats);
    this.view = game.mount({ display: /** @type {HTMLElement} */ (part(root, "display")), side: part(root, "side") }, this.model);
    this.controls = new ReplayControls(/** @type {HTMLElement} */ (part(root, "replay-controls")), {
      turnMs: game.TURN_MS,
      onGo: (index) => this.go(index),
      onLive: () => this.#follow(),
      onRest: () => {},
    });
    this.view.onChoose?.((index) => this.go(index));
    root.addEventListener("click", (event) => this.#click(event));
    /** @type {number | undefined} the requested animation frame */
    this.frame = undefined;
    this.following = true;
    this.index = this.model.last;
    this.score = snapshot.score;
    output.clear();
    this.#draw(false);
    if (this.model.isOpen) this.#connect();
  }

  get isOpen() {
    return this.model.isOpen;
  }

  close() {
    this.disconnect?.();
    cancelAnimationFrame(this.frame ?? 0);
    this.controls.close();
  }

  /** @param {number} index a turn */
  go(index) {
    const isStep = Math.abs(index - this.index) === 1;
    this.index = Math.max(0, Math.min(index, this.model.last));
    this.following = this.index >= this.model.last && this.model.isOpen;
    this.#draw(isStep);
    setText(part(this.root, "announce"), this.view.sentence(this.index));
  }

  #follow() {
    this.following = true;
    this.index = this.model.last;
    this.#draw(false);
  }

  #connect() {
    const { socket = "", snapshotUrl = "" } = this.root.dataset;
    this.disconnect = connect({
      path: socket,
      after: this.model.seq,
      snapshotUrl,
      onEvent: (event) => this.#onEvent(event),
      onSnapshot: (snapshot) => {
        this.model.reset(snapshot);
        this.score = snapshot.score;
        this.#restart();
        this.#changed();
      },
    });
  }

  /** @param {any} event */
  #onEvent(event) {
    if (event.score) this.score = event.score;
    const change = this.model.apply(event);
    if (change === "restart") this.#restart();
    if (event.reveals) this.#reveal();
    this.#changed();
  }

  /** Show what was hidden from the bot's seat while the match ran. If that fails, the next visit shows it. */
  async #reveal() {
    const answer = await request(this.root.dataset.snapshotUrl ?? "", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    this.model.reset(await answer.json());
    this.#restart();
    this.#changed();
  }

  #restart() {
    const players = playersOf(this.model.seats);
    moveIdentities(this.root, previousSeats(this.players, players));
    this.players = players;
    this.view.restart();
    this.output.clear();
    this.following = true;
  }

  #changed() {
    if (!this.model.isOpen && this.disconnect) {
      this.disconnect();
      this.disconnect = undefined;
      this.onEnd();
    }
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const before = this.index;
      if (this.following) this.index = this.model.last;
      this.#draw(this.index === before + 1 && !prefersReducedMotion());
    });
  }

  /** @param {boolean} animate */
  #draw(animate) {
    const { model, view, index } = this;
    view.show(index, animate);
    const text = model.last < 0 ? matchStatusLabel(model.match.status) : turnText(this.game, index, model.last);
    this.controls.update({ index, last: model.last, isOpen: model.isOpen, following: this.following, text });
    setText(part(this.root, "result"), this.#result());
    showScore(this.root, this.score, model.match.status);
    const seat = model.seats.findIndex(({ version }) => version === null);
    this.output.show(model, seat, index, this.game.moveLabel); // last, because the rest decides its height, by which it scrolls
  }

  #result() {
    const { status } = this.model.match;
    if (this.model.outcome) return this.view.result();
    if (status === "queued") return gettext("Waiting for a free worker.");
    if (status === "void") return gettext("An arena failure stopped this run. Run your bot again.");
    return status === "cancelled" ? gettext("Stopped.") : "";
  }

  /** Show a move that is clicked beside the board. @param {MouseEvent} event */
  #click(event) {
    const link = /** @type {HTMLElement} */ (event.target).closest("a[data-at], .moves a");
    if (!(link instanceof HTMLAnchorElement)) return;
    const at = link.dataset.at ?? new URL(link.href).searchParams.get("at");
    if (at === null) return;
    event.preventDefault();
    this.go(Number(at));
  }
}
