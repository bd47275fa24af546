/**
 * The text around a golden-number chart: its font size, the space reserved for it, and painting it. On a projector it
 * is larger, and the leaders are named beside the plot.
 *
 * Invariant: reserved space only grows, so that the plot does not jump from round to round.
 */
import { annotationHeight } from "./annotations.js";
import { labelSpace, leaderFont, paintLeaders } from "./leaders.js";
import { linesOfNames, paintMarks } from "./marks.js";
import { maxOffScaleLines, offScaleLineCount } from "./off-scale-numbers.js";

/** The scale factor for lines and points on a projector. */
export const PROJECTOR_SCALE = 2;
const LETTERS = 0.85; // rem
const PROJECTOR_LETTERS = 1.18; // rem; at 1920 × 1080 px, these are 28 px
const WIDEST_NAMES = 0.32; // of the chart's width

/** @typedef {import("#charts/frame.js").Plot} Plot */
/** @typedef {import("./readout.js").Round} Round */

/** @returns {boolean} whether the page is in the projector view */
export function isProjectorView() {
  return document.documentElement.classList.contains("projector");
}

/** @returns {boolean} whether lines and points are larger: in the projector view, and on the big screen */
export function isProjected() {
  return isProjectorView() || document.documentElement.classList.contains("tv-page");
}

export class ChartLabels {
  /** Reserved space: lines for names and for numbers above the plot, and the width of the leaders' names in em. */
  #reserved = { nameLines: 1, offScaleLines: 0, names: 0 };

  /** @param {() => import("./leaders.js").Leader[]} leaders */
  constructor(leaders) {
    this.leaders = leaders;
    document.addEventListener("viewchange", () => this.#forget());
  }

  #forget() {
    this.#reserved = { nameLines: 1, offScaleLines: 0, names: 0 };
  }

  /** @param {Plot} plot @param {Round | undefined} round @param {{name: string}[]} seats @returns {number} the height above the plot in CSS pixels */
  top(plot, round, seats) {
    const style = projectorStyle();
    if (!plot.width) return annotationHeight(plot, style.size, 0); // uPlot asks before it knows the size, and again later
    const { nameLines, offScaleLines } = this.#reserved;
    this.#reserved.nameLines = Math.max(style.onProjector ? nameLines : 1, linesOfNames(plot, round, seats, style));
    this.#reserved.offScaleLines = Math.min(maxOffScaleLines(plot, style.onProjector, this.#reserved.nameLines), Math.max(offScaleLines, offScaleLineCount(plot, round, seats, style)));
    return annotationHeight(plot, style.size, this.#reserved.offScaleLines, this.#reserved.nameLines);
  }

  /** @param {Plot} plot @returns {number} the width beside the plot in CSS pixels, for the leaders' names */
  right(plot) {
    const { size, family } = projectorStyle();
    const leaders = this.leaders();
    if (!plot.width || (!leaders.length && !this.#reserved.names)) return size;
    const { ctx } = plot;
    ctx.save();
    ctx.font = leaderFont(size, family);
    const widthOf = (/** @type {string} */ text) => ctx.measureText(text).width / devicePixelRatio;
    const most = plot.width * WIDEST_NAMES;
    const needed = labelSpace(widthOf, leaders.map(({ text }) => text), { size, most });
    ctx.restore();
    this.#reserved.names = Math.max(this.#reserved.names, needed / size);
    return Math.min(most, this.#reserved.names * size);
  }

  /**
   * @param {Plot} plot
   * @param {Round | undefined} round the last round shown
   * @param {{name: string}[]} seats
   * @param {import("#charts/frame.js").Colors} colors
   */
  paint(plot, round, seats, { ink, surface, hues }) {
    const { onProjector, size, family } = projectorStyle();
    const { nameLines, offScaleLines } = this.#reserved;
    paintMarks(plot, round, seats, { color: ink, surface, size, family, bold: onProjector ? PROJECTOR_SCALE : 1, offScaleLines, nameLines, onProjector });
    if (onProjector) paintLeaders(plot, round, this.leaders(), { hues, size, family, space: this.right(plot) });
  }
}

/** @returns {{onProjector: boolean, size: number, family: string}} `size`: the font size of names in CSS pixels */
function projectorStyle() {
  const onProjector = isProjectorView();
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { onProjector, size: Math.round(rem * (onProjector ? PROJECTOR_LETTERS : LETTERS)), family: getComputedStyle(document.body).fontFamily };
}
