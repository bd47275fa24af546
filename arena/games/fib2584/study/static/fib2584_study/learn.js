/** The page /2584/learn/: starts and pauses the worker, and draws what it reports. */
import { ChartFrame, WHOLE_STEPS } from "#charts/frame.js";
import { part, setText } from "#site/dom.js";
import { formatNumber, points } from "#site/format.js";

const MAX_POINTS = 400; // in a chart; beyond that, every other point is dropped
const HUES = [1, 0]; // the learners' hues, as in the table

/** @typedef {import("./learner.js").Progress} Progress */

class LearnPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.truth = Number(root.dataset.truth);
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Progress[][]} one pair per report */
    this.history = [];
    this.state = "idle";
    this.form = /** @type {HTMLFormElement} */ (part(root, "plan"));
    this.pause = /** @type {HTMLButtonElement} */ (part(root, "pause"));
    this.rows = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-learner-row]"))];
    this.scores = this.#chart("scores-chart", true);
    this.errors = this.#chart("errors-chart", false);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.pause.addEventListener("click", () => this.#toggle());
    this.#draw();
  }

  #start() {
    const data = new FormData(this.form);
    const read = (/** @type {string} */ name) => Number(data.get(name));
    const plan = { games: read("games"), first: read("first"), last: read("last") };
    this.history = [];
    if (!this.worker) {
      this.worker = new Worker(this.root.dataset.worker ?? "", { type: "module" });
      this.worker.addEventListener("message", ({ data: message }) => this.#handle(message));
      this.worker.addEventListener("error", () => this.#show("failed"));
      this.#show("solving");
    } else this.#show("running");
    this.worker.postMessage({ plan, optimistic: read("optimistic") });
  }

  #toggle() {
    const resumes = this.state === "paused";
    this.worker?.postMessage(resumes ? "go" : "pause");
    this.#show(resumes ? "running" : "paused");
  }

  /** @param {any} message */
  #handle(message) {
    if (message.solved !== undefined) this.#show("running");
    if (!message.progress) return;
    if (message.progress.some((/** @type {Progress} */ one, /** @type {number} */ at) => one.games > (this.history.at(-1)?.[at].games ?? 0))) {
      this.history.push(message.progress);
      this.#draw();
    }
    if (message.isDone) this.#show("done");
  }

  /** @param {"idle" | "solving" | "running" | "paused" | "done" | "failed"} state */
  #show(state) {
    this.state = state;
    this.pause.disabled = state !== "running" && state !== "paused";
    setText(this.pause, state === "paused" ? gettext("Continue") : gettext("Pause"));
    const texts = {
      idle: "",
      solving: gettext("Solving the game first…"),
      running: gettext("Learning…"),
      paused: gettext("Paused."),
      done: gettext("Done."),
      failed: gettext("The learners could not be started. Reload the page."),
    };
    setText(part(this.root, "state"), texts[state]);
  }

  #draw() {
    while (this.history.length > MAX_POINTS) this.history = this.history.filter((_, at) => at % 2 === 1);
    const last = this.history.at(-1);
    this.rows.forEach((row, at) => {
      const one = last?.[at];
      if (!one) return;
      setText(part(row, "games"), points(one.games));
      setText(part(row, "score"), formatNumber(one.score, 1));
      setText(part(row, "error"), formatNumber(one.error, 1));
    });
    const games = [0, ...this.history.map((pair) => pair[0].games)];
    const column = (/** @type {number} */ at, /** @type {"score" | "error"} */ name) => [null, ...this.history.map((pair) => pair[at][name])];
    this.scores.update([games, column(0, "score"), column(1, "score"), games.map(() => this.truth)]);
    this.errors.update([games, column(0, "error"), column(1, "error")]);
  }

  /** @param {string} name @param {boolean} hasTruth @returns {ChartFrame} */
  #chart(name, hasTruth) {
    const place = /** @type {HTMLElement} */ (part(this.root, name));
    return new ChartFrame(
      place,
      ({ hues, gold }) => ({
        x: { space: 4.5, incrs: WHOLE_STEPS },
        y: { space: 2, size: 3.2 },
        scales: { x: { time: false, range: (_, least, most) => [least, Math.max(most, 1000)] }, y: { range: (_, _least, most) => [0, Math.max(most ?? 0, 100) * 1.05] } },
        series: [{}, ...HUES.map((hue) => ({ stroke: hues[hue], width: 2, points: { show: false } })), ...(hasTruth ? [{ stroke: gold, width: 2, dash: [6, 4], points: { show: false } }] : [])],
      }),
      { least: 200, most: 340 },
    );
  }
}

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-learner]"))) new LearnPage(root);
