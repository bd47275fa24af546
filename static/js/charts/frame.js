/**
 * The frame of every chart that uPlot draws: its size, its axes and letters, and when it is made anew.
 *
 * Invariants: a chart is as wide as its place, by the golden ratio at most, and never higher than a share of the window;
 * where the style sheet says `--chart-fill`, it is as high as its place. `--chart-least` lowers its least height, in
 * pixels, and `--chart-letters` makes its letters larger.
 * Colours, series and scales are fixed when a plot is made: a change of any makes a new one, of the theme by itself.
 */
import uPlot from "uplot";
import { HUES } from "./seat-signs.js";

const GOLDEN_RATIO = 1.618;
const NARROWEST = 200; // pixels
const WINDOW_SHARE = 0.62; // of the window's height, where the style sheet names no `--chart-share`
const LETTERS = 0.78; // rem

/** Steps of an axis that counts what comes in wholes, rounds or points. */
export const WHOLE_STEPS = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5].map((zeros) => digit * 10 ** zeros)).sort((a, b) => a - b);

/** The colours of the present theme for a canvas, where no style sheet reaches: custom properties of tokens.css. */
function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    gold: read("--gold"),
    green: read("--green"),
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    surface: read("--surface"),
    good: read("--green-text"),
    warn: read("--amber-text"),
    bad: read("--red-text"),
    hues: Array.from({ length: HUES }, (_, index) => read(`--hue-${index}`)),
  };
}

/**
 * The horizontal and the vertical axis; lengths are in rem.
 * @typedef {object} Axes
 * @property {{space: number, incrs?: number[], values?: uPlot.Axis.Values}} x `space`: at least so far apart are the labels
 * @property {{space: number, size: number, incrs?: number[], values?: uPlot.Axis.Values}} y `size`: of the labels' column
 */

/** @typedef {uPlot} Plot */
/** @typedef {ReturnType<typeof themeColors>} Colors */
/** @typedef {Axes & Omit<uPlot.Options, "width" | "height" | "axes" | "legend">} Plan what a plot is made of beyond its frame */

/**
 * The font of a chart's letters; what is painted by hand gives `scale`, the canvas pixels to one of the page.
 * @param {number} [scale]
 */
export function chartFont(scale = 1) {
  return `${Math.round(rem() * LETTERS * scale)}px ${getComputedStyle(document.body).fontFamily}`;
}

export class ChartFrame {
  /**
   * @param {HTMLElement} place of the plot, alone; what stands above it is as wide
   * @param {(colors: Colors, width: number) => Plan} plan asked whenever a plot is made
   * @param {{least: number, most?: number}} height in pixels
   */
  constructor(place, plan, { least, most = Infinity }) {
    this.place = place;
    this.plan = plan;
    this.least = least;
    this.most = most;
    this.colors = themeColors();
    new ResizeObserver(() => this.#fit()).observe(place);
    // The letters of a projector have another size.
    for (const change of ["themechange", "viewchange"]) document.addEventListener(change, () => this.#recolor());
  }

  /** Other values of the same series. @param {any[]} data columns as uPlot takes them */
  update(data) {
    if (this.plot) this.plot.setData(data);
    else this.make(data);
  }

  /** @param {any[]} data columns as uPlot takes them */
  make(data) {
    this.plot?.destroy();
    const size = this.#size();
    const { x, y, cursor, ...plan } = this.plan(this.colors, size.width);
    const { muted, line } = this.colors;
    const letters = Number(this.#style("--chart-letters")) || 1;
    const unit = rem() * letters;
    const axis = { stroke: muted, font: chartFont(letters), grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const options = {
      ...size,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, ...cursor },
      axes: [
        { ...axis, ...x, grid: { show: false }, size: unit * 1.9, space: unit * x.space },
        { ...axis, ...y, size: unit * y.size, space: unit * y.space },
      ],
      ...plan,
    };
    this.plot = new uPlot(options, data, this.place);
  }

  /** A plan that changed. */
  renew() {
    if (this.plot) this.make(this.plot.data);
  }

  #recolor() {
    this.colors = themeColors();
    this.renew();
  }

  /** Behind a table a chart has no width, but may be wanted as a picture: it is as wide as what stands above it. */
  #size() {
    const width = Math.max(NARROWEST, Math.floor(this.place.clientWidth || (this.place.previousElementSibling?.clientWidth ?? 0)));
    const least = Number(this.#style("--chart-least")) || this.least;
    if (this.#style("--chart-fill")) return { width, height: Math.max(least, Math.floor(this.place.clientHeight)) };
    const share = Number(this.#style("--chart-share")) || WINDOW_SHARE;
    return { width, height: Math.round(Math.max(least, Math.min(width / GOLDEN_RATIO, this.most, innerHeight * share))) };
  }

  /** @param {string} name of a custom property */
  #style(name) {
    return getComputedStyle(this.place).getPropertyValue(name);
  }

  #fit() {
    const size = this.#size();
    if (this.plot && (this.plot.width !== size.width || this.plot.height !== size.height)) this.plot.setSize(size);
  }
}

/** Pixels of one rem now. */
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}
