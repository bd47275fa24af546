/** The report of a version's check, and the cards of the failures that it found. */
import { part } from "../site/dom.js";

export class CheckReport {
  /**
   * @param {HTMLElement} root contains studio/check.html and studio/check_faults.html, if there is a check
   * @param {import("./failures.js").Failures} failures
   * @param {{onPassed: () => void}} options
   */
  constructor(root, failures, { onPassed }) {
    this.failures = failures;
    /** @type {HTMLDetailsElement | null} */
    this.report = part(root, "check");
    /** @type {HTMLElement | null} */
    this.cards = part(root, "check-faults");
    if (this.report && this.cards) this.#listen(this.report, this.cards, onPassed);
    if (asksForCheck() && !isReload()) failures.putFirst("check-faults"); // a run may be newer
  }

  /**
   * Hide the check's failures, because a run is newer; they are shown again when the report is opened. Those of a
   * version that the address asks for stay.
   */
  close() {
    this.report?.removeAttribute("open");
    if (!asksForCheck()) this.cards?.toggleAttribute("hidden", true);
    this.failures.putFirst("faults");
  }

  /**
   * Follow a check, whose result the server renders.
   * @param {HTMLDetailsElement} report
   * @param {HTMLElement} cards
   * @param {() => void} onPassed
   */
  #listen(report, cards, onPassed) {
    report.addEventListener("toggle", () => {
      if (!report.open) return;
      cards.hidden = false;
      this.failures.putFirst("check-faults");
    });
    const steps = /** @type {HTMLElement | null} */ (report.querySelector("[data-check]"));
    if (!steps) return;
    if (steps.matches("[data-status=waiting], [data-status=checking]")) import("../submissions/check.js");
    const onStatus = () => {
      if (steps.dataset.status !== "passed") return;
      report.open = false;
      onPassed(); // the closed report hides its own announcements
    };
    new MutationObserver(onStatus).observe(steps, { attributeFilter: ["data-status"] });
    let known = cards.querySelectorAll("[data-fault]").length;
    const onFailures = () => {
      const found = cards.querySelectorAll("[data-fault]").length;
      const isNew = found !== known;
      known = found;
      if (isNew) report.open = false; // the message is at its line, and below the report's title
      this.failures.mark(isNew); // also if the same cards were rendered again, without their labels
    };
    new MutationObserver(onFailures).observe(cards, { childList: true, subtree: true });
  }
}

/** Return whether the address names a version whose check is shown. */
export function asksForCheck() {
  return new URLSearchParams(location.search).has("submission");
}

function isReload() {
  return performance.getEntriesByType("navigation").some((entry) => /** @type {PerformanceNavigationTiming} */ (entry).type === "reload");
}
