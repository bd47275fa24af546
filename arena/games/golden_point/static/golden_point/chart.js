/**
 * The live chart of a golden-point match: the golden number as a bold line, everyone's numbers as points.
 *
 * Invariants: it draws the rounds from the oldest available one to the shown one; it redraws at most once per frame,
 * however fast rounds arrive.
 */
import { ChartFrame } from "#charts/frame.js";
import { element, setText } from "#site/dom.js";
import { fourDecimals } from "#site/format.js";
import { exportPng } from "./chart-export.js";
import { ChartLabels, PROJECTOR_SCALE, isProjected, isProjectorView } from "./chart-labels.js";
import { ChartControls } from "./controls.js";
import { watchGestures } from "./gestures.js";
import { goldenPlan } from "./plot.js";
import { extent, paintHalo, paintNumbers, paintedSeats } from "./points.js";
import { RoundTable, roundTip } from "./readout.js";
import { RoundWindow, WINDOW } from "./round-window.js";

const INITIAL_ROUNDS = 20; // the initial width of the window, in rounds

export class GoldenChart {
  /**
   * @param {HTMLElement} root its content is replaced
   * @param {object} options
   * @param {{name: string}[]} options.seats may grow
   * @param {number} [options.total] the total number of rounds; 0: unknown
   * @param {boolean} [options.compact] show only the chart
   * @param {(round: number) => void} [options.onChoose] called with the round that the reader picked
   * @param {() => void} [options.onEarlier] called when the reader wants rounds before the oldest one
   * @param {() => import("./leaders.js").Leader[]} [options.leaders] the players highlighted in the projector view,
   * best first
   * @param {(first: number, last: number) => void} [options.onMissing] called when the table shows these rounds, which
   * may include rough ones
   */
  constructor(root, { seats, total = 0, compact = false, leaders = () => [], onChoose, onEarlier, onMissing }) {
    this.root = root;
    this.seats = seats;
    this.total = total;
    this.compact = compact;
    this.leaders = leaders;
    this.onChoose = onChoose;
    this.onEarlier = onEarlier;
    this.onMissing = onMissing;
    this.window = new RoundWindow();
    /** @type {import("./readout.js").Round[]} */
    this.rounds = [];
    this.shown = 0;
    this.oldest = 1;
    this.dragged = 0;
    /** @type {number | undefined} the requested animation frame */
    this.pending = undefined;
    this.logarithmic = false;
    this.labels = new ChartLabels(leaders);
    /** @type {ReadonlySet<number>} */
    this.chosen = new Set();
    this.golden = element("span", { class: "chart__value" }, "–");
    this.caption = element("span", { class: "chart__round" });
    this.plotRoot = element("div", { class: "chart__plot", role: "img" });
    this.tip = element("div", { class: "chart__tip", hidden: true });
    this.table = new RoundTable(this.seats);
    this.head = element("div", { class: "chart__head" }, element("div", { class: "chart__now" }, this.golden, this.caption));
    this.controls = this.compact ? null : this.#controls();
    if (this.controls) this.head.append(this.controls.root);
    this.root.replaceChildren(this.head, this.plotRoot);
    if (!this.compact) this.root.append(this.table.root);
    this.frame = new ChartFrame(this.plotRoot, (colors, width) => this.#plan(colors, width), { least: this.compact ? 180 : 240 });
  }

  /**
   * @param {import("./readout.js").Round[]} rounds indexed by round; entry 0 is the start
   * @param {number} shown the last round to draw
   * @param {number} [oldest] the first available round
   */
  draw(rounds, shown, oldest = 1) {
    this.rounds = rounds;
    this.shown = shown;
    this.oldest = oldest;
    this.table.seat(this.seats);
    this.#writeHeading();
    this.#schedule();
  }

  /** @param {Iterable<number>} seats to highlight; empty: none */
  choose(seats) {
    this.chosen = new Set(seats);
    this.#schedule();
  }

  /** @param {string} title @returns {Promise<Blob | null>} the chart as a PNG; null before it is drawn */
  async exportPng(title) {
    if (!this.frame.plot) return null;
    const { ink, muted, surface } = this.frame.colors;
    const subtitle = `${this.caption.textContent}: ${this.golden.textContent}`;
    return exportPng(this.frame.plot.ctx.canvas, { title, subtitle, ink, muted, surface });
  }

  #controls() {
    const shown = (/** @type {() => void} */ change) => {
      change();
      this.#updateView();
    };
    return new ChartControls({
      onLast: () => shown(() => this.window.showLast()),
      onAll: () => shown(() => this.window.showAll()),
      onZoom: (factor) => this.#zoom(factor),
      onPan: (share) => this.#pan(Math.round(share * this.#width()) || Math.sign(share)),
      onLogarithmic: (logarithmic) => {
        this.logarithmic = logarithmic;
        this.frame.renew();
      },
      onTable: (table) => {
        this.plotRoot.hidden = table;
        this.table.root.hidden = !table;
        this.#schedule();
      },
    });
  }

  #width() {
    const { first, last } = this.#span();
    return last - first + 1;
  }

  /** @param {number} factor @param {number} [x] fixed point in pixels; default: the last round */
  #zoom(factor, x) {
    const at = (x === undefined ? undefined : this.frame.plot?.posToVal(x, "x")) ?? this.#span().last;
    this.window.zoom(factor, at, this.oldest, this.#newest());
    this.#updateView();
  }

  /** @param {number} rounds */
  #pan(rounds) {
    this.window.pan(rounds, this.oldest, this.#newest());
    this.#updateView();
  }

  /** Convert dragged pixels to whole rounds; the remainder carries over. @param {number} pixels */
  #drag(pixels) {
    const { plot } = this.frame;
    if (!plot) return;
    this.dragged -= pixels / (plot.over.clientWidth / this.#width());
    const rounds = Math.trunc(this.dragged);
    if (rounds === 0) return;
    this.dragged -= rounds;
    this.#pan(rounds);
  }

  /** Redraw after the reader moved to other rounds, and request earlier ones if they are close. */
  #updateView() {
    if (this.oldest > 1 && (this.window.isAll || this.#span().first <= this.oldest)) this.onEarlier?.();
    this.#schedule();
  }

  #schedule() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = undefined;
      this.#redraw();
    });
  }

  #redraw() {
    this.frame.update(this.#data());
    this.#updateTable();
    this.controls?.update(this.window);
  }

  /**
   * Write the heading, but not in an animation frame: frames are rare on a busy machine, and the heading must name the
   * page's round.
   */
  #writeHeading() {
    const golden = this.rounds[this.shown]?.golden ?? null;
    setText(this.golden, golden === null ? "–" : fourDecimals(golden));
    setText(this.caption, this.#captionText());
    this.plotRoot.setAttribute("aria-label", this.#label(golden));
  }

  #updateTable() {
    const span = this.#span();
    if (!this.table.root.hidden) this.onMissing?.(span.first, span.last);
    this.table.update(this.rounds, span);
  }

  #captionText() {
    if (!this.shown) return gettext("before the first round");
    if (!this.total) return interpolate(gettext("golden number of round %s"), [this.shown]);
    return interpolate(gettext("golden number of round %(round)s of %(rounds)s"), { round: this.shown, rounds: this.total }, true);
  }

  /** @param {number | null} golden */
  #label(golden) {
    if (golden === null) return gettext("Chart of the golden numbers; no rounds have been played yet.");
    return interpolate(gettext("Chart of the golden numbers. Round %s: %s."), [this.shown, fourDecimals(golden)]);
  }

  #data() {
    /** @type {number[]} */
    const xs = [];
    /** @type {(number | null)[]} */
    const ys = [];
    for (let round = this.oldest; round <= this.shown; round += 1) {
      xs.push(round);
      ys.push(this.rounds[round]?.golden ?? null);
    }
    return [xs, ys];
  }

  #newest() {
    return Math.max(this.oldest, this.shown);
  }

  /** Return the first and last round in view. */
  #span() {
    return this.window.span(this.oldest, this.#newest());
  }

  /** Start with a narrow window that grows, so that the line is not stuck in a corner. @returns {[number, number]} */
  #xRange() {
    const { first, last } = this.#span();
    let end = last;
    if (this.window.isLast) end = Math.max(last, first + Math.min(WINDOW, this.total || WINDOW, INITIAL_ROUNDS) - 1);
    else if (this.window.isAll) end = Math.max(last, this.rounds.length - 1, first + 1);
    const margin = Math.max(0.5, (end - first) * 0.012);
    return [first - margin, end + margin];
  }

  /** @returns {[number, number]} */
  #yRange() {
    const { first, last } = this.#span();
    const { low, high, most } = extent(this.rounds, first, last);
    return this.logarithmic ? [Math.max(low, 1e-6) * 0.9, most * 1.1] : [0, high * 1.06];
  }

  /** @param {import("#charts/frame.js").Colors} colors @param {number} width in pixels */
  #plan(colors, width) {
    return goldenPlan(colors, width, {
      logarithmic: this.logarithmic,
      dotted: () => this.shown < 3,
      bold: isProjected() ? PROJECTOR_SCALE : 1,
      right: isProjectorView() ? (plot) => this.labels.right(plot) : null,
      top: this.compact ? null : (plot) => this.labels.top(plot, this.rounds[this.shown], this.seats),
      xRange: () => this.#xRange(),
      yRange: () => this.#yRange(),
      onMade: (plot) => this.#watch(plot),
      paintBelow: (plot) => this.#paintNumbers(plot, colors),
      paintAbove: (plot) => this.#paintMarks(plot, colors),
      onPoint: (plot) => this.#point(plot),
    });
  }

  /** @param {import("#charts/frame.js").Plot} plot */
  #watch(plot) {
    this.plotRoot.append(this.tip);
    watchGestures(plot.over, {
      onPan: (pixels) => this.#drag(pixels),
      onZoom: (factor, x) => this.#zoom(factor, x),
      onReset: () => {
        this.window.showLast();
        this.#updateView();
      },
      onTap: () => {
        const index = plot.cursor.idx;
        if (index !== null && index !== undefined) this.onChoose?.(plot.data[0][index]);
      },
    });
  }

  /** @param {import("#charts/frame.js").Plot} plot @param {import("#charts/frame.js").Colors} colors */
  #paintNumbers(plot, { hues, surface }) {
    const span = this.#span();
    const highlighted = this.chosen.size || !isProjectorView() ? this.chosen : new Set(this.leaders().map(({ seat }) => seat));
    const projected = isProjected() ? { bold: PROJECTOR_SCALE, faint: this.chosen.size ? 0.2 : 0.45 } : {};
    const style = { hues, chosen: highlighted, seats: paintedSeats(this.rounds, span, this.seats.length, highlighted), ...projected };
    if (paintNumbers(plot, this.rounds, span, style)) paintHalo(plot, this.rounds, span, surface);
  }

  /**
   * Paint the marks of the shown round if it is in view.
   * @param {import("#charts/frame.js").Plot} plot
   * @param {import("#charts/frame.js").Colors} colors
   */
  #paintMarks(plot, colors) {
    if (this.compact || this.#span().last !== this.shown) return;
    this.labels.paint(plot, this.rounds[this.shown], this.seats, colors);
  }

  /** Show the tooltip beside the pointer, on the side with more space. @param {import("#charts/frame.js").Plot} plot */
  #point(plot) {
    const { idx, left = -1 } = plot.cursor;
    const round = idx === null || idx === undefined ? null : this.rounds[plot.data[0][idx]];
    this.tip.hidden = !round || round.golden === null || left < 0;
    if (!round || this.tip.hidden) return;
    this.tip.replaceChildren(...roundTip(round, this.seats, this.chosen));
    const onRight = left < plot.over.clientWidth / 2;
    const x = plot.over.offsetLeft + left;
    const place = onRight ? x + 14 : x - 14 - this.tip.offsetWidth;
    this.tip.style.setProperty("left", `${Math.max(0, place)}px`);
  }
}
