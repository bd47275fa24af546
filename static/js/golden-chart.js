/**
 * The live chart of a golden-point match: the golden number as a bold line, everybody's numbers as points.
 *
 * Invariants: what is drawn are the rounds 1 to the shown one; drawing happens at most once a frame,
 * however fast rounds arrive.
 */
import uPlot from "../vendor/uplot/uPlot.esm.js";
import { element, setText } from "./dom.js";
import { goldenNumber } from "./format.js";
import { extent, paintNumbers } from "./golden-points.js";
import { RoundTable, roundTip } from "./golden-readout.js";
import { themeColors } from "./seat-signs.js";

const WINDOW = 100;
const GOLDEN_RATIO = 1.618;
const PHONE = 480;

export class GoldenChart {
  /**
   * @param {HTMLElement} root emptied and filled
   * @param {{seats: {name: string}[], total?: number, compact?: boolean, onChoose?: (round: number) => void}} options
   */
  constructor(root, { seats, total = 0, compact = false, onChoose }) {
    this.root = root;
    this.seats = seats;
    this.total = total;
    this.compact = compact;
    this.onChoose = onChoose;
    /** @type {import("./golden-readout.js").Round[]} */
    this.rounds = [];
    this.shown = 0;
    this.follow = true;
    this.logarithmic = false;
    /** @type {ReadonlySet<number>} */
    this.chosen = new Set();
    this.colors = themeColors();
    this.#build();
    this.#observe();
  }

  /**
   * @param {import("./golden-readout.js").Round[]} rounds indexed by round; entry 0 is the start
   * @param {number} shown the last round drawn
   */
  draw(rounds, shown) {
    this.rounds = rounds;
    this.shown = shown;
    this.#schedule();
  }

  /** @param {Iterable<number>} seats that stand out; none: all alike */
  choose(seats) {
    this.chosen = new Set(seats);
    this.#schedule();
  }

  destroy() {
    this.resize.disconnect();
    document.removeEventListener("themechange", this.onTheme);
    this.plot?.destroy();
  }

  #build() {
    this.golden = element("span", { class: "chart__golden" }, "–");
    this.caption = element("span", { class: "chart__round" });
    this.plotRoot = element("div", { class: "chart__plot", role: "img" });
    this.tip = element("div", { class: "chart__tip", hidden: true });
    this.table = new RoundTable(this.seats);
    const head = element("div", { class: "chart__head" }, element("div", { class: "chart__now" }, this.golden, this.caption));
    if (!this.compact) head.append(this.#controls());
    this.root.replaceChildren(head, this.plotRoot);
    if (!this.compact) this.root.append(this.table.root);
  }

  #controls() {
    const last = element("button", { type: "button", "aria-pressed": "true" }, interpolate(gettext("Last %s"), [WINDOW]));
    const all = element("button", { type: "button", "aria-pressed": "false" }, gettext("All rounds"));
    const pick = (follow) => {
      this.follow = follow;
      last.setAttribute("aria-pressed", String(follow));
      all.setAttribute("aria-pressed", String(!follow));
      this.#schedule();
    };
    last.addEventListener("click", () => pick(true));
    all.addEventListener("click", () => pick(false));
    const log = element("button", { type: "button", "aria-pressed": "false" }, gettext("Logarithmic"));
    log.addEventListener("click", () => {
      this.logarithmic = !this.logarithmic;
      log.setAttribute("aria-pressed", String(this.logarithmic));
      this.#renew();
    });
    return element(
      "div",
      { class: "chart__controls" },
      element("div", { class: "segments", role: "group", "aria-label": gettext("Rounds shown") }, last, all),
      element("div", { class: "segments" }, log),
    );
  }

  #observe() {
    this.resize = new ResizeObserver(() => this.#fit());
    this.resize.observe(this.plotRoot);
    this.onTheme = () => {
      this.colors = themeColors();
      this.#renew();
    };
    document.addEventListener("themechange", this.onTheme);
  }

  #size() {
    const width = Math.max(200, Math.floor(this.plotRoot.clientWidth));
    const least = this.compact ? 180 : 240;
    const share = Number(getComputedStyle(this.root).getPropertyValue("--chart-share")) || 0.62; // of the window's height
    return { width, height: Math.round(Math.max(least, Math.min(width / GOLDEN_RATIO, innerHeight * share))) };
  }

  #fit() {
    const size = this.#size();
    if (this.plot && (this.plot.width !== size.width || this.plot.height !== size.height)) this.plot.setSize(size);
  }

  /** Scales and colours are fixed when a plot is made: a change of either makes a new one. */
  #renew() {
    this.plot?.destroy();
    this.plot = undefined;
    this.#schedule();
  }

  #schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#redraw();
    });
  }

  #redraw() {
    const data = this.#data();
    if (this.plot) this.plot.setData(data);
    else this.#makePlot(data);
    const round = this.rounds[this.shown];
    const golden = round?.golden ?? null;
    setText(this.golden, golden === null ? "–" : goldenNumber(golden));
    setText(
      this.caption,
      interpolate(gettext("golden number of round %(round)s of %(rounds)s"), { round: this.shown, rounds: this.total || this.shown }, true),
    );
    this.plotRoot.setAttribute("aria-label", this.#label(golden));
    this.table.update(this.rounds.slice(0, this.shown + 1));
  }

  #label(golden) {
    if (golden === null) return gettext("Chart of the golden numbers; no round has been played yet.");
    return interpolate(gettext("Chart of the golden numbers. Round %s: %s."), [this.shown, goldenNumber(golden)]);
  }

  #data() {
    const xs = [];
    const ys = [];
    for (let round = 1; round <= this.shown; round += 1) {
      xs.push(round);
      ys.push(this.rounds[round]?.golden ?? null);
    }
    return [xs, ys];
  }

  /** First and last round in view. */
  #span() {
    const last = Math.max(1, this.shown);
    return { first: this.follow ? Math.max(1, last - WINDOW + 1) : 1, last };
  }

  /** A young match starts with a narrow window that grows, not with a line in a corner. */
  #xRange() {
    const { first, last } = this.#span();
    const end = this.follow ? Math.max(last, first + Math.min(WINDOW, this.total || WINDOW, 20) - 1) : Math.max(last, this.rounds.length - 1, 2);
    const margin = Math.max(0.5, (end - first) * 0.012);
    return [first - margin, end + margin];
  }

  #yRange() {
    const { first, last } = this.#span();
    const { low, high, most } = extent(this.rounds, first, last);
    return this.logarithmic ? [Math.max(low, 1e-6) * 0.9, most * 1.1] : [0, high * 1.06];
  }

  #makePlot(data) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const small = this.plotRoot.clientWidth < PHONE;
    const font = `${Math.round(rem * 0.78)}px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: this.colors.muted, font, grid: { stroke: this.colors.line, width: 1 }, ticks: { show: false } };
    this.plot = new uPlot(
      {
        ...this.#size(),
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { size: 9, fill: this.colors.gold, stroke: this.colors.surface, width: 2 } },
        scales: {
          x: { time: false, range: () => this.#xRange() },
          y: { distr: this.logarithmic ? 3 : 1, range: () => this.#yRange() },
        },
        axes: [
          { ...axis, grid: { show: false }, size: rem * 1.9, space: rem * (small ? 3 : 4), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
          { ...axis, size: rem * (small ? 2.1 : 2.6), space: rem * 2.2 },
        ],
        series: [{}, { stroke: this.colors.gold, width: 3, spanGaps: false, points: { show: this.shown < 3, size: 7, fill: this.colors.gold } }],
        hooks: {
          drawAxes: [(plot) => paintNumbers(plot, this.rounds, this.#span(), this.colors.hues, this.chosen)],
          setCursor: [(plot) => this.#point(plot)],
        },
      },
      data,
      this.plotRoot,
    );
    this.plotRoot.append(this.tip);
    this.plot.over.addEventListener("click", () => {
      const index = this.plot?.cursor.idx;
      if (index !== null && index !== undefined) this.onChoose?.(this.plot.data[0][index]);
    });
  }

  /** The tip beside the pointer, on the side where there is room. */
  #point(plot) {
    const { idx, left } = plot.cursor;
    const round = idx === null || idx === undefined ? null : this.rounds[plot.data[0][idx]];
    this.tip.hidden = !round || round.golden === null || left < 0;
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...roundTip(round, this.seats, this.chosen));
    const onRight = left < plot.over.clientWidth / 2;
    const x = plot.over.offsetLeft + left;
    const place = onRight ? x + 14 : x - 14 - this.tip.offsetWidth;
    this.tip.style.setProperty("left", `${Math.max(0, place)}px`);
  }
}
