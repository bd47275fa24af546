/** How uPlot draws a golden-number chart: axes, the golden line, and what is painted below and above it. */

const PHONE = 480; // pixels

/**
 * @param {ReturnType<typeof import("./seat-signs.js").themeColors>} colors
 * @param {object} look
 * @param {{width: number, height: number}} look.size
 * @param {boolean} look.logarithmic
 * @param {boolean} look.dotted whether the line is too short to be seen
 * @param {() => number[]} look.xRange
 * @param {() => number[]} look.yRange
 * @param {(plot: any) => void} look.paintBelow
 * @param {(plot: any) => void} look.paintAbove
 * @param {(plot: any) => void} look.onPoint the pointer moved
 */
export function plotOptions(colors, { size, logarithmic, dotted, xRange, yRange, paintBelow, paintAbove, onPoint }) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const small = size.width < PHONE;
  const font = `${Math.round(rem * 0.78)}px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: colors.muted, font, grid: { stroke: colors.line, width: 1 }, ticks: { show: false } };
  return {
    ...size,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 9, fill: colors.gold, stroke: colors.surface, width: 2 } },
    scales: { x: { time: false, range: xRange }, y: { distr: logarithmic ? 3 : 1, range: yRange } },
    axes: [
      { ...axis, grid: { show: false }, size: rem * 1.9, space: rem * (small ? 3 : 4), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] },
      { ...axis, size: rem * (small ? 2.1 : 2.6), space: rem * 2.2 },
    ],
    series: [{}, { stroke: colors.gold, width: 3, spanGaps: false, points: { show: dotted, size: 7, fill: colors.gold } }],
    hooks: { drawAxes: [paintBelow], draw: [paintAbove], setCursor: [onPoint] },
  };
}
