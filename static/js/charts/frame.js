/**
 * The frame of every uPlot chart: its size, its axes and font, and when it is recreated.
 *
 * Invariants: a chart is as wide as its container. The golden ratio and a share of the window limit its height, down to
 * a minimum; if the style sheet sets `--chart-fill`, it is as high as its container. `--chart-least` sets the minimum
 * height in pixels, `--chart-axis` the height of the labels below the plot in rem, and `--chart-letters` scales the
 * font. Colours, series and scales are fixed when a plot is created: to change any of them, create a new plot. A change
 * of theme does so automatically.
 */
import uPlot from "uplot";
import { formatShortest } from "../site/format.js";
import { HUES } from "./seat-swatches.js";

const GOLDEN_RATIO = 1.618;
const NARROWEST = 200; // pixels
const WINDOW_SHARE = 0.62; // of the window's height, unless the style sheet sets `--chart-share`
const LETTERS = 0.78; // rem
const MIN_GAP = 5; // pixels between the plot and the labels below it

/** Steps for an axis with whole numbers, such as rounds or points. */
export const WHOLE_STEPS = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5].map((zeros) => digit * 10 ** zeros)).sort((a, b) => a - b);

/**
 * Return the current theme's colours, from the custom properties in tokens.css, for canvases, which CSS cannot style.
 */
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
 * @property {{space: number, incrs?: number[], values?: uPlot.Axis.Values}} x `space`: the minimum distance between
 * labels
 * @property {{space: number, size: number, incrs?: number[], values?: uPlot.Axis.Values, filter?: uPlot.Axis.Filter}} y
 * `size`: the width of the label column; `filter`: replaces the values without label and line by null
 */

/** @typedef {uPlot} Plot */
/** @typedef {ReturnType<typeof themeColors>} Colors */
/** @typedef {Axes & Omit<uPlot.Options, "width" | "height" | "axes" | "legend">} Plan the options of a plot beyond its frame */

/**
 * Return the font for a chart's text. For custom painting, `scale` is the number of canvas pixels per CSS pixel.
 * @param {number} [scale]
 */
export function chartFont(scale = 1) {
  return `${Math.round(rem() * LETTERS * scale)}px ${getComputedStyle(document.body).fontFamily}`;
}

export class ChartFrame {
  /**
   * @param {HTMLElement} place contains only the plot; the element above it is as wide
   * @param {(colors: Colors, width: number) => Plan} plan called whenever a plot is created
   * @param {{least: number, most?: number}} height in pixels
   */
  constructor(place, plan, { least, most = Infinity }) {
    this.place = place;
    this.plan = plan;
    this.least = least;
    this.most = most;
    this.colors = themeColors();
    new ResizeObserver(() => this.#fit()).observe(place);
    // The projector view has another font size.
    for (const change of ["themechange", "viewchange"]) document.addEventListener(change, () => this.#recolor());
  }

  /** Replace the values of the series. @param {any[]} data columns as uPlot takes them */
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
    const axis = { stroke: muted, font: chartFont(letters), values: axisLabels, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const options = {
      ...size,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, ...cursor },
      axes: [
        { ...axis, ...x, gap: Math.max(MIN_GAP, unit * 0.3), grid: { show: false }, size: unit * (Number(this.#style("--chart-axis")) || 1.9), space: unit * x.space },
        { ...axis, ...y, grid: { ...axis.grid, ...(y.filter && { filter: y.filter }) }, size: unit * y.size, space: unit * y.space },
      ],
      ...plan,
    };
    this.plot = new uPlot(options, data, this.place);
  }

  /** Apply a changed plan. */
  renew() {
    if (this.plot) this.make(this.plot.data);
  }

  #recolor() {
    this.colors = themeColors();
    this.renew();
  }

  /**
   * Return the chart's size. A chart hidden by its table has no width, but may be exported as a picture: use the width
   * of the element above.
   */
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

/**
 * Return the labels of an axis; uPlot would format them in the browser's language, not the page's.
 * @param {uPlot} _plot
 * @param {(number | null)[]} splits null: a line without a label
 */
function axisLabels(_plot, splits) {
  return splits.map((value) => (value === null ? "" : formatShortest(value, 3)));
}

/** Return the current pixels per rem. */
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}
