/** Columns and ranges for a bot's rating chart; pure. */

const DAY = 86_400;

/**
 * Return columns for uPlot. Versions that played on the same day are placed a few hours apart, so that they do not hide
 * each other.
 * @param {{time: number, version: number, value: number, low: number, high: number, first: boolean}[]} points by day
 * @returns {[number[], number[], number[], number[]]} times, values, lower and upper bounds
 */
export function columns(points) {
  const times = [];
  for (const [at, point] of points.entries()) {
    const peers = points.filter((other) => other.time === point.time);
    times.push(point.time + (DAY / peers.length) * peers.indexOf(points[at]));
  }
  return [times, points.map((point) => point.value), points.map((point) => point.low), points.map((point) => point.high)];
}

/**
 * Return the time range, with a margin of at least a day on both sides.
 * @param {number[]} times
 * @returns {[number, number]}
 */
export function timeRange(times) {
  const [first, last] = [times[0], times[times.length - 1]];
  const margin = Math.max(DAY, (last - first) * 0.03);
  return [first - margin, last + margin];
}

/**
 * Return the range of the interval bounds, in round numbers.
 * @param {number[]} lows
 * @param {number[]} highs
 * @returns {[number, number]}
 */
export function valueRange(lows, highs) {
  return [Math.floor((Math.min(...lows) - 10) / 50) * 50, Math.ceil((Math.max(...highs) + 10) / 50) * 50];
}
