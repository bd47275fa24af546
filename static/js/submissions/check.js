/**
 * A submission's page: the progress of its check, step by step. The server renders the findings of a step together with
 * the result.
 */
import "../common.js"; // loaded already; without this, the studio's later import would split its chunk
import { connect } from "../live/connection.js";
import { refreshParts } from "../live/refresh.js";
import { part, setText } from "../site/dom.js";
import { duration } from "../site/format.js";

const UNFINISHED = ["waiting", "checking"];
const SECOND = 1000;

/** @typedef {{name: string, state: string, elapsed?: number | null, seconds?: number | null}} Step */

/** @param {string} state */
function stateLabel(state) {
  /** @type {Record<string, string>} */
  const labels = {
    pending: gettext("pending"),
    running: gettext("running"),
    passed: gettext("passed"),
    slow: gettext("takes longer"),
    failed: gettext("failed"),
    skipped: gettext("skipped"),
  };
  return labels[state] ?? state;
}

/**
 * Keep counting from the elapsed time that the server reported. Elements with `data-elapsed`, in seconds, show how long something
 * has been running.
 * @param {ParentNode} root
 * @param {number} now milliseconds on a monotonic clock
 */
function updateElapsed(root, now) {
  for (const container of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-elapsed]"))) {
    container.dataset.from ??= String(now - Number(container.dataset.elapsed) * SECOND);
    setText(container, duration(Math.floor((now - Number(container.dataset.from)) / SECOND)));
  }
}

class CheckPage {
  /** @param {HTMLElement} root submissions/check_steps.html */
  constructor(root) {
    this.root = root;
    const { status = "", after = "0", socket = "", snapshotUrl = "" } = root.dataset;
    if (!UNFINISHED.includes(status)) return;
    this.timer = setInterval(() => updateElapsed(this.root, performance.now()), SECOND);
    this.disconnect = connect({
      path: socket,
      after: Number(after),
      snapshotUrl,
      onEvent: (event) => this.#onEvent(event),
      onSnapshot: (snapshot) => this.#all(snapshot),
    });
  }

  /** @param {any} event */
  #onEvent(event) {
    if (event.type === "step") this.#step(event.step);
    else if (event.type === "requeued") this.#wait();
    else this.#done(event.status);
  }

  /**
   * Show that the check waits for its next attempt: the server renders that, without the steps of the previous attempt.
   */
  #wait() {
    setText(part(this.root, "announce"), gettext("The check is waiting to be retried."));
    refreshParts();
  }

  /** @param {{steps: Step[], status: string}} snapshot */
  #all(snapshot) {
    if (snapshot.status === "waiting") refreshParts();
    for (const step of snapshot.steps) this.#step(step);
    if (!UNFINISHED.includes(snapshot.status)) this.#done(snapshot.status);
  }

  /** @param {Step} step */
  #step(step) {
    const waiting = part(this.root, "waiting");
    if (waiting) waiting.hidden = true;
    const item = /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-step="${step.name}"]`));
    if (!item) {
      refreshParts(); // an optional step, and the message of the step before it
      return;
    }
    for (let later = item.nextElementSibling; later; later = later.nextElementSibling) this.#forget(later);
    item.dataset.state = step.state;
    setText(part(item, "state"), stateLabel(step.state));
    this.#time(part(item, "seconds"), step);
    if (step.state === "passed") setText(item.querySelector(".check-steps__message"), ""); // it said that the step was still running
    const name = item.querySelector(".check-steps__name")?.textContent ?? "";
    setText(part(this.root, "announce"), `${name}: ${stateLabel(step.state)}`);
  }

  /** Reset a step that an earlier attempt had reached. @param {Element} item */
  #forget(item) {
    if (!(item instanceof HTMLElement) || item.dataset.state === "pending") return;
    item.dataset.state = "pending";
    setText(part(item, "state"), stateLabel("pending"));
    setText(item.querySelector(".check-steps__message"), "");
    this.#time(part(item, "seconds"), { name: "", state: "pending" });
  }

  /** @param {HTMLElement | null} container @param {Step} step */
  #time(container, step) {
    if (!container) return;
    delete container.dataset.elapsed;
    delete container.dataset.from;
    if (step.state === "running") {
      container.dataset.elapsed = String(step.elapsed ?? 0);
      updateElapsed(this.root, performance.now());
    } else {
      setText(container, step.seconds ? duration(step.seconds) : "");
    }
  }

  /** Show the findings and what follows the result (activate, play, the log), which the server renders. @param {string} status */
  #done(status) {
    this.disconnect?.();
    clearInterval(this.timer);
    this.root.dataset.status = status;
    /** @type {Record<string, string>} */
    const result = { passed: gettext("The check has passed."), failed: gettext("The check has failed.") };
    setText(part(this.root, "announce"), result[status] ?? gettext("The check could not run."));
    refreshParts();
  }
}

for (const root of document.querySelectorAll("[data-check]")) new CheckPage(/** @type {HTMLElement} */ (root));
