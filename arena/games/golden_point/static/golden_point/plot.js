/** What a golden-number chart is made of: axes, the golden line, and what is painted below and above it. */
import { WHOLE_STEPS } from "#charts/frame.js";

const PHONE = 480; // pixels

/**
 * @param {import("#charts/frame.js").Colors} colors
 * @param {number} width of the chart, in pixels
 * @param {object} look
 * @param {boolean} look.logarithmic
 * @param {() => boolean} look.dotted whether the line is too short to be seen
 * @param {number} look.bold how many times as wide lines are as on a desk
 * @param {(() => number) | null} look.right room at the right of the plot, in pixels, asked again whenever it is laid out; null: as little as it needs
 * @param {((plot: import("#charts/frame.js").Plot) => number) | null} look.top room above the plot, in pixels; null: as little as its axes need
 * @param {() => [number, number]} look.xRange
 * @param {() => [number, number]} look.yRange
 * @param {(plot: import("#charts/frame.js").Plot) => void} look.onMade
 * @param {(plot: import("#charts/frame.js").Plot) => void} look.paintBelow
 * @param {(plot: import("#charts/frame.js").Plot) => void} look.paintAbove
 * @param {(plot: import("#charts/frame.js").Plot) => void} look.onPoint the pointer moved
 * @returns {import("#charts/frame.js").Plan}
 */
export function goldenPlan(colors, width, { logarithmic, dotted, bold, right, top, xRange, yRange, onMade, paintBelow, paintAbove, onPoint }) {
  const small = width < PHONE;
  return {
    x: { space: small ? 3 : 4, incrs: WHOLE_STEPS },
    y: { space: 2.2, size: small ? 2.1 : 2.6 },
    padding: [top, right, null, null],
    cursor: { points: { size: 9, fill: colors.gold, stroke: colors.surface, width: 2 } },
    scales: { x: { time: false, range: xRange }, y: { distr: logarithmic ? 3 : 1, range: yRange } },
    series: [{}, { stroke: colors.gold, width: 3 * bold, spanGaps: false, points: { show: dotted, size: 7 * bold, fill: colors.gold } }],
    hooks: { init: [onMade], drawAxes: [paintBelow], draw: [paintAbove], setCursor: [onPoint] },
  };
}
