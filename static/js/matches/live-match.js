/** A small view of a match outside its own page: follows the match to its end. */
import { MatchModel } from "./match-model.js";
import { connect } from "../live/connection.js";
import { matchStatusLabel, showStatus } from "../live/labels.js";
import { pageData, part, prefersReducedMotion, setText } from "../site/dom.js";

export class LiveMatch {
  /**
   * @param {HTMLElement} root matches/live_match.html
   * @param {import("./game-view.js").GameModule} game
   * @param {(live: LiveMatch) => void} [onDraw] called after each change has been drawn
   */
  constructor(root, game, onDraw = () => {}) {
    this.root = root;
    this.onDraw = onDraw;
    /** @type {number | undefined} the requested animation frame */
    this.frame = undefined;
    this.model = new MatchModel(pageData(root.dataset.liveMatch ?? ""));
    const display = /** @type {HTMLElement} */ (part(root, "display"));
    this.view = game.mount({ display, side: null }, this.model);
    this.shown = this.model.last;
    this.#draw();
    if (this.model.isOpen) this.#connect();
  }

  get id() {
    return this.model.match.id;
  }

  /** Return whether no more turns will come. */
  get isOver() {
    return !this.model.isOpen;
  }

  stop() {
    this.disconnect?.();
    cancelAnimationFrame(this.frame ?? 0);
  }

  #connect() {
    const { socket = "", snapshotUrl = "" } = this.root.dataset;
    this.disconnect = connect({
      path: socket,
      after: this.model.seq,
      snapshotUrl,
      onEvent: (event) => {
        if (this.model.apply(event) === "restart") this.view.restart();
        this.#changed();
      },
      onSnapshot: (snapshot) => {
        this.model.reset(snapshot);
        this.view.restart();
        this.#changed();
      },
    });
  }

  #changed() {
    if (this.isOver) this.disconnect?.();
    this.frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.frame = undefined;
    const { model } = this;
    this.view.show(model.last, model.last === this.shown + 1 && !prefersReducedMotion());
    this.shown = model.last;
    setText(part(this.root, "sentence"), model.outcome ? this.view.result() : this.view.sentence(model.last));
    showStatus(part(this.root, "status"), model.match.status, matchStatusLabel(model.match.status));
    this.onDraw(this);
  }
}
