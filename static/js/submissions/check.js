/**
 * The page of a submission: how far its check is, step by step. What a step found, in words, is drawn by the server
 * with the verdict.
 */
import { connect } from "../live/connection.js";
import { refreshParts } from "../live/refresh.js";
import { part, setText } from "../site/dom.js";
import { thinkTime } from "../site/format.js";

const UNFINISHED = ["waiting", "checking"];

function stateLabel(state) {
  const labels = {
    pending: gettext("to come"),
    running: gettext("running"),
    passed: gettext("passed"),
    failed: gettext("failed"),
    skipped: gettext("skipped"),
  };
  return labels[state] ?? state;
}

class CheckPage {
  /** @param {HTMLElement} root components/check_steps.html */
  constructor(root) {
    this.root = root;
    const { status = "", after = "0", socket = "", snapshotUrl = "" } = root.dataset;
    if (!UNFINISHED.includes(status)) return;
    this.disconnect = connect({
      path: socket,
      after: Number(after),
      snapshotUrl,
      onEvent: (event) => (event.type === "step" ? this.#step(event.step) : this.#done(event.status)),
      onSnapshot: (snapshot) => this.#all(snapshot),
    });
  }

  #all(snapshot) {
    for (const step of snapshot.steps) this.#step(step);
    if (!UNFINISHED.includes(snapshot.status)) this.#done(snapshot.status);
  }

  #step(step) {
    const item = /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-step="${step.name}"]`));
    if (!item) return;
    item.dataset.state = step.state;
    setText(part(item, "state"), stateLabel(step.state));
    setText(part(item, "seconds"), step.seconds ? thinkTime(step.seconds) : "");
    const name = item.querySelector(".check-steps__name")?.textContent ?? "";
    setText(part(this.root, "announce"), `${name}: ${stateLabel(step.state)}`);
  }

  /** The findings and what follows on the verdict (activate, play, the log) are drawn by the server. */
  #done(status) {
    this.disconnect?.();
    this.root.dataset.status = status;
    const verdict = { passed: gettext("The check has passed."), failed: gettext("The check has failed.") };
    setText(part(this.root, "announce"), verdict[status] ?? gettext("The check could not be made."));
    refreshParts();
  }
}

for (const root of document.querySelectorAll("[data-check]")) new CheckPage(/** @type {HTMLElement} */ (root));
