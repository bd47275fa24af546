/**
 * The match page: one match, live while it runs and a replay at the same URL afterwards.
 *
 * Invariants: the view shows the model's turn `index`; while `following`, that is the newest turn;
 * `?at=N` in the URL names the turn that a reader stopped at, and is absent while following. Other scripts on the page
 * receive the shown state with the event `match-shown`, and can request it with `match-show-again`.
 */
import { listenForAnimations } from "./animation-button.js";
import { keepAboveControls } from "./board-height.js";
import { LeadViews } from "./evaluation.js";
import { loadGame, turnText } from "./game-view.js";
import { MatchModel } from "./match-model.js";
import { connect } from "../live/connection.js";
import { matchStatusLabel, showConnection, showStatus } from "../live/labels.js";
import { refreshParts } from "../live/refresh.js";
import { pageData, part, prefersReducedMotion, setText } from "../site/dom.js";
import { paragraph } from "../site/format.js";
import { request } from "../site/requests.js";
import { makeTabs } from "../site/tabs.js";
import { MovesTable } from "./moves-table.js";
import { BotOutput } from "./bot-output.js";
import { SeatClocks } from "./seat-clocks.js";
import { ReplayControls } from "./replay-controls.js";

const VERDICT_MS = 5_000; // before the first poll for a verdict that a job computes; each later delay is longer
const MAX_VERDICT_WAIT_MS = 60_000;
const PLAYERS_BELOW = "(width < 60rem)"; // the board, as in static/css/match-page.css
const REVEAL_WITHIN = 2000; // milliseconds over which all viewers spread their requests for what was hidden

class MatchPage {
  /** @param {HTMLElement} root matches/match_view.html @param {import("./game-view.js").GameModule} game */
  constructor(root, game) {
    this.root = root;
    /** @type {number | undefined} the requested animation frame */
    this.frame = undefined;
    this.title = document.title;
    this.hasNews = false;
    this.game = game;
    this.model = new MatchModel(pageData(root.dataset.match ?? ""));
    this.model.onTurns = () => this.#schedule();
    const display = /** @type {HTMLElement} */ (part(root, "display"));
    this.view = game.mount({ display, side: part(root, "side") }, this.model);
    const moves = part(root, "moves-table"); // absent if the times of moves are unknown
    this.moves = moves ? new MovesTable(moves, this.model, game.moveLabel) : null;
    const { seatsToMove } = game;
    this.clocks = seatsToMove ? new SeatClocks(this.model.seats.map(({ index }) => clocksOf(index)), this.model, seatsToMove) : null;
    this.controls = new ReplayControls(/** @type {HTMLElement} */ (part(root, "replay-controls")), {
      turnMs: game.TURN_MS,
      onGo: (index) => this.#go(index),
      onLive: () => this.#follow(),
      onRest: () => this.#keepAddress(),
    });
    const choose = (/** @type {number} */ index) => {
      this.controls.stop();
      this.#go(index);
      this.#keepAddress();
    };
    this.output = new BotOutput((turn) => turnText(this.game, turn, this.model.last));
    this.leads = new LeadViews(root, this.model, this.view, choose);
    this.view.onChoose?.(choose);
    this.playersBelow = matchMedia(PLAYERS_BELOW);
    this.playersBelow.addEventListener("change", () => this.#showScores());
    this.#listenToMoves();
    root.addEventListener("match-show-again", () => this.#show(false));
    const at = turnAsked();
    this.following = at === null || at > this.model.last;
    this.index = at === null || this.following ? this.model.last : at;
    this.drawn = -1; // the turn that the view shows
    this.unannounced = -1; // a turn to announce that is not loaded yet
    this.#start();
  }

  #start() {
    this.#show(false);
    this.#showEnd();
    if (this.model.isOpen) this.#connect();
    else this.#awaitVerdict();
  }

  /** Poll the job that computes the verdict while one is expected, and show each change. */
  #awaitVerdict(wait = VERDICT_MS) {
    const shown = /** @type {HTMLElement | null} */ (document.querySelector("[data-expected]"));
    if (!shown) return;
    setTimeout(async () => {
      const answer = document.hidden ? null : await request(shown.dataset.url ?? "", { cache: "no-store" }).catch(() => null);
      if (answer?.ok && (await answer.json()).expected !== shown.dataset.expected) await refreshParts();
      this.#awaitVerdict(Math.min(MAX_VERDICT_WAIT_MS, wait * 1.5));
    }, wait * (0.8 + 0.4 * Math.random()));
  }

  #connect() {
    const { socket = "", snapshotUrl = "" } = this.root.dataset;
    this.disconnect = connect({
      path: socket,
      after: this.model.seq,
      snapshotUrl,
      onEvent: (event) => {
        this.#onChange(this.model.apply(event));
        if (event.reveals) setTimeout(() => this.#reveal(), REVEAL_WITHIN * Math.random());
      },
      onSnapshot: (snapshot) => {
        this.model.reset(snapshot);
        this.view.restart();
        if (this.index > this.model.last) this.following = true;
        this.#onChange(this.model.isOpen ? "status" : "end");
      },
      onState: (state) => showConnection(part(this.root, "connection"), state),
    });
  }

  /** Show what was hidden while the match ran. If that fails, the next visit shows it. */
  async #reveal() {
    const answer = await request(this.root.dataset.snapshotUrl ?? "", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    this.model.reset(await answer.json());
    this.view.restart();
    this.#schedule();
  }

  /** @param {"turn" | "restart" | "end" | "status" | null} change */
  #onChange(change) {
    if (change === null) return;
    if (change === "restart") {
      this.view.restart();
      this.following = true;
    }
    if (change !== "turn") {
      this.#showEnd();
      // The server may know more about a finished match.
      refreshParts().then(() => {
        this.#schedule();
        if (change === "end") this.#awaitVerdict();
      });
    }
    if (change === "end") {
      this.hasNews = true;
      this.#endConnection();
    }
    this.#schedule();
  }

  /** Disconnect: nothing follows the end of a match. */
  #endConnection() {
    this.disconnect?.();
    const container = part(this.root, "connection");
    if (container) container.hidden = true;
  }

  /** Draw at most one turn per frame, however fast turns arrive. */
  #schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const before = this.index;
      if (this.following) this.index = this.model.last;
      this.#show(this.index === before + 1);
      if (this.following && (this.index !== before || this.hasNews)) this.#announce();
    });
  }

  /** Announce the newest turn to screen readers, and the result at the end. */
  #announce() {
    const sentences = [this.view.sentence(this.index), this.hasNews ? this.view.result() : ""];
    this.hasNews = false;
    setText(part(this.root, "announce"), paragraph(sentences));
  }

  /** @param {number} index */
  #go(index) {
    const isStep = Math.abs(index - this.index) === 1;
    this.index = index;
    this.following = index >= this.model.last;
    this.#show(isStep);
    this.#announceTurn(index);
  }

  /** Announce a turn to screen readers as soon as it is loaded. @param {number} index */
  #announceTurn(index) {
    this.unannounced = this.model.turns[index] ? -1 : index;
    if (this.unannounced < 0) setText(part(this.root, "announce"), this.view.sentence(index));
  }

  #follow() {
    this.following = true;
    this.index = this.model.last;
    this.#show(false);
    this.#keepAddress();
  }

  /** @param {boolean} isStep whether the view may animate from the previous turn */
  #show(isStep) {
    const { index: wanted } = this;
    this.model.want(wanted, wanted + 1); // and the turn that a replay shows next
    const isThere = this.model.last < 0 || Boolean(this.model.turns[wanted]);
    if (isThere) {
      this.view.show(wanted, isStep && Math.abs(this.drawn - wanted) === 1 && !prefersReducedMotion());
      this.drawn = wanted;
      if (this.unannounced === wanted) this.#announceTurn(wanted);
    }
    this.root.setAttribute("aria-busy", String(!isThere));
    this.moves?.show(this.index);
    this.clocks?.show(this.index);
    this.leads.show(this.index);
    this.output.show(Math.max(0, this.index));
    this.#showScores();
    const { last, isOpen } = this.model;
    this.controls.update({ index: this.index, last, isOpen, following: this.following, text: this.#position() });
    const { model, index, following, view, game } = this;
    const detail = { model, index, following, view, game };
    this.root.dispatchEvent(new CustomEvent("match-shown", { detail }));
  }

  /**
   * Show the newest score in the title, and the current turn's in the line above the board. On phones, the title of a
   * match's own page takes the place of this line.
   */
  #showScores() {
    const { view, model } = this;
    if (!view.scores || model.last < 0 || model.seats.length !== 2) return;
    const show = (/** @type {string} */ name, /** @type {number} */ index) => {
      view.scores?.(index).forEach((score, seat) => setText(part(this.root, `${name}-${seat}`), score));
    };
    const shown = Math.max(0, this.index);
    show("title-score", this.playersBelow.matches ? shown : model.last);
    show("shown-score", shown);
  }

  #position() {
    const { model, index } = this;
    if (model.last < 0) return matchStatusLabel(model.match.status);
    return turnText(this.game, index, model.last);
  }

  #showEnd() {
    const { status } = this.model.match;
    showStatus(document.querySelector("[data-match-status]"), status, matchStatusLabel(status));
    const banner = part(this.root, "banner");
    const text = this.model.outcome ? this.view.result() : "";
    const gone = status === "void" || status === "cancelled" ? matchStatusLabel(status) : "";
    setText(part(this.root, "result"), text || gone);
    if (text && this.model.reader) document.title = this.title.startsWith(text) ? this.title : `${text} · ${this.title}`;
    setText(part(this.root, "reason"), status === "void" ? gettext("An arena failure stopped this match, so it is not scored.") : "");
    if (banner) banner.hidden = !(text || gone);
  }

  /** Keep the URL a permalink to the shown turn; written only when the reader pauses. */
  #keepAddress() {
    const url = new URL(location.href);
    if (this.following) url.searchParams.delete("at");
    else url.searchParams.set("at", String(this.index));
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }

  #listenToMoves() {
    this.root.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("a[data-at]"));
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.controls.stop();
      this.#go(Number(link.dataset.at));
      this.#keepAddress();
    });
  }
}

/** @param {number} seat @returns {HTMLElement[]} the elements that show its clock */
function clocksOf(seat) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-clock-seat="${seat}"]`))];
}

/** @returns {number | null} the turn that the URL names */
function turnAsked() {
  const requested = new URLSearchParams(location.search).get("at");
  return requested === null || !/^\d+$/.test(requested) ? null : Number(requested);
}

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-tabs]"))) makeTabs(root);
for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-match]"))) {
  listenForAnimations(root);
  if (root.classList.contains("match--page")) keepAboveControls(root);
  loadGame(root).then((game) => new MatchPage(root, game));
}
