/**
 * Each player's cumulative regret, round by round: one line per player; the selected player's line is bold.
 *
 * The page has the totals in a table; the chart appears only if this script runs.
 */
import { ChartFrame, WHOLE_STEPS } from "#charts/frame.js";
import { HUES, isHollow } from "#charts/seat-swatches.js";
import { element, pageData, setText } from "#site/dom.js";
import { points } from "#site/format.js";

const FAINT = "66"; // alpha of the other players' lines

/** @typedef {{seat: number, name: string, values: number[], apart: number[]}} Line */

class RegretChart {
  /** @param {HTMLElement} root @param {{rounds: number[], lines: Line[], chosen: number}} data */
  constructor(root, { rounds, lines, chosen }) {
    this.root = root;
    this.rounds = rounds;
    // Draw the selected line last, on top of the others.
    this.lines = [...lines].sort((a, b) => Number(a.seat === chosen) - Number(b.seat === chosen));
    this.chosen = lines.find((line) => line.seat === chosen) ?? lines[0];
    this.isApart = false;
    this.caption = element("p", { class: "chart__round muted small" });
    this.plotRoot = element("div", { class: "chart__plot", role: "img", "aria-label": this.#label() });
    const head = element("div", { class: "chart__head" }, this.caption, ...(lines.length > 1 ? [this.#controls()] : []));
    root.replaceChildren(head, this.plotRoot);
    root.hidden = false;
    this.frame = new ChartFrame(this.plotRoot, (colors) => this.#plan(colors), { least: 200 });
    this.#draw();
  }

  #controls() {
    const whole = element("button", { type: "button", "aria-pressed": "true" }, gettext("Total"));
    const apart = element("button", { type: "button", "aria-pressed": "false" }, gettext("Relative to the average"));
    const pick = (/** @type {boolean} */ isApart) => {
      whole.setAttribute("aria-pressed", String(!isApart));
      apart.setAttribute("aria-pressed", String(isApart));
      this.isApart = isApart;
      this.#draw();
    };
    whole.addEventListener("click", () => pick(false));
    apart.addEventListener("click", () => pick(true));
    return element("div", { class: "segments", role: "group", "aria-label": gettext("Displayed values") }, whole, apart);
  }

  #label() {
    const figures = { name: this.chosen.name, missed: points(this.chosen.values.at(-1) ?? 0) };
    return interpolate(gettext("Chart of cumulative missed points; %(name)s: %(missed)s points at the end. The table below lists everyone."), figures, true);
  }

  /** @param {import("#charts/frame.js").Colors} colors @returns {import("#charts/frame.js").Plan} */
  #plan(colors) {
    return {
      x: { space: 4, incrs: WHOLE_STEPS },
      y: { space: 2.2, size: 3.4, incrs: WHOLE_STEPS },
      cursor: { points: { show: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low * 1.04), Math.max(high * 1.04, 1)] } },
      series: [{}, ...this.lines.map((line) => this.#series(line, colors))],
      hooks: { setCursor: [(plot) => this.#describe(plot.cursor.idx ?? this.rounds.length - 1)] },
    };
  }

  #draw() {
    this.frame.update([this.rounds, ...this.lines.map((line) => this.#valuesOf(line))]);
    this.#describe(this.rounds.length - 1);
  }

  /** @param {Line} line */
  #valuesOf(line) {
    return this.isApart ? line.apart : line.values;
  }

  /** @param {Line} line @param {import("#charts/frame.js").Colors} colors */
  #series(line, colors) {
    const hue = colors.hues[line.seat % HUES];
    const isHighlighted = line === this.chosen;
    return {
      stroke: isHighlighted || !/^#[0-9a-f]{6}$/i.test(hue) ? hue : hue + FAINT,
      width: isHighlighted ? 3 : 1.5,
      dash: isHollow(line.seat) ? [6, 4] : undefined,
      points: { show: this.rounds.length === 1, size: 7 },
    };
  }

  /** @param {number} at */
  #describe(at) {
    const missed = this.#valuesOf(this.chosen)[at];
    const figures = { round: this.rounds[at], name: this.chosen.name, missed: points(Math.round(Math.abs(missed))) };
    const sentence = !this.isApart
      ? gettext("After round %(round)s: %(name)s has missed out on %(missed)s points")
      : missed < 0
        ? gettext("After round %(round)s: %(name)s has missed out on %(missed)s fewer points than average")
        : gettext("After round %(round)s: %(name)s has missed out on %(missed)s more points than average");
    setText(this.caption, interpolate(sentence, figures, true));
  }
}

const root = document.querySelector("[data-regret-chart]");
if (root instanceof HTMLElement) new RegretChart(root, pageData("regret"));
