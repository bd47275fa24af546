/** The draft's runs: choose opponents, start and stop a run, and show its board, output and failures. */
import { loadGame } from "../matches/game-view.js";
import { part, prefersReducedMotion, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { jsonPost } from "./json-post.js";
import { Output } from "./output.js";
import { Picker } from "./picker.js";
import { RunBoard } from "./run-board.js";

export class Runs {
  /**
   * @param {HTMLElement} root studio/studio.html
   * @param {object} options
   * @param {import("./draft.js").Draft} options.draft
   * @param {import("./messages.js").Messages} options.messages
   * @param {string} options.address to which the draft is sent to start a run
   * @param {string} options.csrf
   * @param {() => void} options.onStart called when a run has started, before its board opens
   * @param {() => void} options.onEnd called when the cards of a finished run are on the page
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.picker = new Picker(/** @type {HTMLDetailsElement} */ (part(root, "picker")));
    this.output = new Output(this.#part("output"), part(root, "no-output"), (turn) => this.board?.go(turn));
    /** @type {RunBoard | null} */
    this.board = null;
    this.isStarting = false;
  }

  /** @param {string} name @returns {HTMLElement} */
  #part(name) {
    return /** @type {HTMLElement} */ (part(this.root, name));
  }

  /** @returns {HTMLElement | null} studio/run.html, if there is a run */
  get #run() {
    return this.root.querySelector("[data-run-board]");
  }

  /** @param {number} games */
  async start(games) {
    if (this.isStarting) return;
    this.isStarting = true;
    this.#busy(true);
    const { draft, messages, address, onStart } = this.options;
    await draft.saving;
    const body = { ...draft.edit(), opponents: this.picker.opponents, games, settings: this.picker.settings };
    const answer = await draft.request(address, body);
    this.isStarting = false;
    this.#busy(false);
    if (messages.isRefused(answer)) return;
    this.#part("board").innerHTML = answer.body.html; // from our own template
    this.#part("faults").replaceChildren();
    setText(part(this.root, "runs-use"), answer.body.use);
    onStart();
    this.#part("board").parentElement?.scrollTo({ top: 0 });
    await this.openBoard();
    this.#showDisplay();
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    for (const button of this.root.querySelectorAll("[data-run]")) button.toggleAttribute("disabled", isBusy);
  }

  /** Show the run that is on the page, if there is one. */
  async openBoard() {
    this.board?.close();
    this.board = null;
    const run = this.#run;
    if (!run) return;
    const game = await loadGame(run);
    this.board = new RunBoard(run, game, this.output, { onEnd: () => this.#ended(run) });
    this.#part("stop").hidden = !this.board.isOpen;
  }

  /**
   * Bring the board above the controls, which stick to the bottom edge of a phone's screen, where the whole page
   * scrolls.
   */
  #showDisplay() {
    this.root.querySelector("[data-run-board] [data-part=display]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** @param {HTMLElement} run */
  async #ended(run) {
    this.#part("stop").hidden = true;
    // With the version whose check is shown, because the check may have found the same failures.
    const answer = await send(`${run.dataset.reportUrl}${location.search}`, {}, { tries: 3 });
    if (answer.state !== "done" || !run.isConnected) return;
    this.#part("faults").innerHTML = answer.body.faults; // from our own template
    setText(part(this.root, "runs-use"), answer.body.use);
    this.options.onEnd();
    this.#showDisplay();
    const failure = this.#part("faults").firstElementChild;
    if (!failure) return;
    // Last, because if they do not fit together, the failure matters more.
    failure.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "instant" : "smooth" });
  }

  async stop() {
    const run = this.#run;
    if (run) await send(run.dataset.stopUrl ?? "", jsonPost(this.options.csrf, {}), { tries: 3 });
  }
}
