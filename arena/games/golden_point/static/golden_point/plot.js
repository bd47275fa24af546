/** The parts of a golden-number chart: axes, the golden line, and hooks to paint below and above it. */
import { WHOLE_STEPS } from "#charts/frame.js";

const PHONE = 480; // pixels
const TRIANGLES = 12; // the height of the row of triangles at the upper edge, in pixels; see points.js

/**
 * @param {import("#charts/frame.js").Colors} colors
 * @param {number} width of the chart, in pixels
 * @param {object} options
 * @param {boolean} options.logarithmic
 * @param {() => boolean} options.dotted whether to draw points, because the line is too short to see
 * @param {number} options.bold the scale factor for lines in the projector view
 * @param {((plot: import("#charts/frame.js").Plot) => number) | null} options.right space to the right of the plot in pixels, computed at each layout; null:
 * the minimum
 * @param {((plot: import("#charts/frame.js").Plot) => number) | null} options.top space above the plot in pixels; null:
 * the minimum for its axes
 * @param {() => [number, number]} options.xRange
 * @param {() => [number, number]} options.yRange
 * @param {(plot: import("#charts/frame.js").Plot) => void} options.onMade
 * @param {(plot: import("#charts/frame.js").Plot) => void} options.paintBelow
 * @param {(plot: import("#charts/frame.js").Plot) => void} options.paintAbove
 * @param {(plot: import("#charts/frame.js").Plot) => void} options.onPoint the pointer moved
 * @returns {import("#charts/frame.js").Plan}
 */
export function goldenPlan(colors, width, { logarithmic, dotted, bold, right, top, xRange, yRange, onMade, paintBelow, paintAbove, onPoint }) {
  const small = width < PHONE;
  return {
    x: { space: small ? 3 : 4, incrs: WHOLE_STEPS },
    y: { space: 2.2, size: small ? 2.1 : 2.6, filter: logarithmic ? undefined : (plot, splits) => withoutTop(plot, splits, TRIANGLES * bold) },
    padding: [top, right, null, null],
    cursor: { points: { size: 9, fill: colors.gold, stroke: colors.surface, width: 2 } },
    scales: { x: { time: false, range: xRange }, y: { distr: logarithmic ? 3 : 1, range: yRange } },
    series: [{}, { stroke: colors.gold, width: 3 * bold, spanGaps: false, points: { show: dotted, size: 7 * bold, fill: colors.gold } }],
    hooks: { init: [onMade], drawAxes: [paintBelow], draw: [paintAbove], setCursor: [onPoint] },
  };
}

/**
 * Leave out the lines and labels that would run through the row of triangles, which has no height on the axis.
 * @param {{height: number, scales: Record<string, {min?: number, max?: number}>}} plot
 * @param {(number | null)[]} splits
 * @param {number} row the height of that row in CSS pixels
 * @returns {(number | null)[]}
 */
export function withoutTop({ height, scales }, splits, row) {
  const { min = 0, max = 1 } = scales.y;
  return splits.map((value) => (value !== null && ((max - value) / (max - min)) * height < row ? null : value));
}
