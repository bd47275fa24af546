/**
 * Paint everyone's numbers under a chart's golden line.
 *
 * Numbers far above the rest are painted as small triangles at the upper edge, so that they do not flatten the chart.
 */
import { HUES, isHollow } from "#charts/seat-swatches.js";

const MANY = 12_000; // beyond this many points, squares are drawn: a tenth of the cost of circles
const CROWD = 5_000; // beyond this many, points shrink and fade, so that the line stays prominent
const FAINT = 0.2;
const SAMPLE = 4_000;
const PERCENTILE = 0.75; // this share of the numbers is always in view
const ABOVE_GOLDEN = 1.25; // so are all numbers up to this multiple of the highest golden number
const DASHES = [[], [10, 5], [3, 4], [14, 4, 3, 4]]; // of lines that share a colour, in CSS pixels

/** @typedef {{round: number, golden: number | null, numbers: (number[] | null)[]}} RoundView */
/** @typedef {{color: string, hollow: boolean, radius: number, rough: boolean}} Brush */

/**
 * Return the smallest and largest values that the chart must show for the rounds `first` to `last` (inclusive).
 * @param {RoundView[]} rounds indexed by round
 * @param {number} first
 * @param {number} last
 * @returns {{low: number, high: number, most: number}} `high` leaves out numbers far above the rest, `most` does not
 */
export function extent(rounds, first, last) {
  const values = [];
  let golden = 0;
  let most = 0;
  const step = Math.max(1, Math.ceil(((last - first) * (rounds[last]?.numbers.length ?? 1)) / SAMPLE));
  for (let round = first; round <= last; round += 1) {
    golden = Math.max(golden, rounds[round]?.golden ?? 0);
    if (round % step !== 0 && round !== last) continue;
    for (const pair of rounds[round]?.numbers ?? []) {
      for (const number of pair ?? []) values.push(number);
    }
  }
  if (values.length === 0) return { low: 0.1, high: 100, most: 100 };
  values.sort((a, b) => a - b);
  most = values[values.length - 1];
  const usual = values[Math.floor((values.length - 1) * PERCENTILE)];
  return { low: values[0], high: Math.min(most, Math.max(usual * 1.3, golden * ABOVE_GOLDEN)), most };
}

/**
 * Return the seats whose numbers are painted. If some rounds are rough, these are the seats that the rough rounds
 * contain and the chosen ones, so that complete rounds do not seem to have more players.
 * @param {(RoundView & {isRough?: boolean})[]} rounds
 * @param {{first: number, last: number}} span
 * @param {number} count of seats
 * @param {ReadonlySet<number>} chosen
 * @returns {number[]}
 */
export function paintedSeats(rounds, { first, last }, count, chosen) {
  const all = [...Array(count).keys()];
  const rough = rounds.slice(first, last + 1).find((round) => round?.isRough);
  return rough ? all.filter((seat) => rough.numbers[seat] !== undefined || chosen.has(seat)) : all;
}

/**
 * Return the dash pattern of each seat's line, which tells apart the lines of seats with the same colour.
 * @param {Iterable<number>} seats
 * @returns {Map<number, number[]>}
 */
export function lineDashes(seats) {
  const used = Array(HUES).fill(0);
  return new Map([...seats].map((seat) => [seat, DASHES[used[seat % HUES]++ % DASHES.length]]));
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {RoundView[]} rounds indexed by round
 * @param {{first: number, last: number}} span
 * @param {{hues: string[], chosen: ReadonlySet<number>, seats: number[], bold?: number, faint?: number}} style `chosen`:
 * highlighted seats; empty: none; `seats`: the painted ones; `bold`: the scale factor in the projector view; `faint`:
 * the opacity of the other seats if some are chosen
 * @returns {boolean} whether the points are crowded
 */
export function paintNumbers(plot, rounds, { first, last }, { hues, chosen, seats, bold = 1, faint = 0.13 }) {
  const { ctx, bbox } = plot;
  const count = (last - first + 1) * seats.length * 2;
  const space = Math.min(1, Math.sqrt(CROWD / count));
  const spacing = bbox.width / devicePixelRatio / (last - first + 1);
  const radius = devicePixelRatio * Math.max(1, Math.min(3.4 * bold, spacing * 0.3) * Math.max(0.5, space));
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - radius, bbox.width + radius, bbox.height + radius);
  ctx.clip();
  const dashes = lineDashes(chosen);
  const order = [...seats].sort((a, b) => Number(chosen.has(a)) - Number(chosen.has(b)));
  for (const seat of order) {
    const isHighlighted = chosen.has(seat);
    const brush = { color: hues[seat % hues.length], hollow: isHollow(seat), radius: isHighlighted ? radius * 1.5 : radius, rough: count > MANY };
    ctx.globalAlpha = chosen.size === 0 ? Math.max(FAINT, 0.62 * space) : isHighlighted ? 1 : faint;
    if (isHighlighted) paintLines(plot, rounds, first, last, seat, { color: brush.color, width: bold > 1 ? 3 : 1, dash: dashes.get(seat) ?? [] });
    paintSeat(plot, rounds, first, last, seat, brush);
  }
  ctx.restore();
  return count > CROWD;
}

/**
 * Paint a gap around the golden line, so that it stays visible among crowded points.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {RoundView[]} rounds
 * @param {{first: number, last: number}} span
 * @param {string} color the background colour
 */
export function paintHalo(plot, rounds, { first, last }, color) {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 7 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.beginPath();
  for (let round = first; round <= last; round += 1) {
    const golden = rounds[round]?.golden;
    if (golden === null || golden === undefined) continue;
    ctx.lineTo(plot.valToPos(round, "x", true), plot.valToPos(golden, "y", true));
  }
  ctx.stroke();
  ctx.restore();
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {RoundView[]} rounds
 * @param {number} first
 * @param {number} last
 * @param {number} seat
 * @param {Brush} brush
 */
function paintSeat(plot, rounds, first, last, seat, brush) {
  const { ctx, bbox } = plot;
  ctx.fillStyle = ctx.strokeStyle = brush.color;
  ctx.lineWidth = Math.max(1, brush.radius * 0.5);
  ctx.beginPath();
  for (let round = first; round <= last; round += 1) {
    const x = plot.valToPos(round, "x", true);
    for (const number of rounds[round]?.numbers[seat] ?? []) {
      const y = plot.valToPos(number, "y", true);
      if (y < bbox.top) paintTriangle(ctx, x, bbox.top, brush.radius);
      else if (brush.rough) ctx.rect(x - brush.radius, y - brush.radius, brush.radius * 2, brush.radius * 2);
      else {
        ctx.moveTo(x + brush.radius, y);
        ctx.arc(x, y, brush.radius, 0, Math.PI * 2);
      }
    }
  }
  if (brush.hollow) ctx.stroke();
  else ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} top @param {number} radius */
function paintTriangle(ctx, x, top, radius) {
  ctx.moveTo(x, top);
  ctx.lineTo(x + radius * 1.3, top + radius * 2);
  ctx.lineTo(x - radius * 1.3, top + radius * 2);
  ctx.closePath();
}

/**
 * Connect a chosen seat's numbers across rounds: the first numbers with one line, the second ones with another. A number
 * above the plot interrupts its line.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {RoundView[]} rounds
 * @param {number} first
 * @param {number} last
 * @param {number} seat
 * @param {{color: string, width: number, dash: number[]}} pen lengths in CSS pixels
 */
function paintLines(plot, rounds, first, last, seat, { color, width: thick, dash }) {
  const { ctx, bbox } = plot;
  ctx.strokeStyle = color;
  ctx.lineWidth = thick * devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  const width = Math.max(...rounds.slice(first, last + 1).map((round) => round?.numbers[seat]?.length ?? 0));
  for (let which = 0; which < width; which += 1) {
    ctx.beginPath();
    let pen = false;
    for (let round = first; round <= last; round += 1) {
      const number = rounds[round]?.numbers[seat]?.[which];
      const y = number === undefined ? -Infinity : plot.valToPos(number, "y", true);
      if (y < bbox.top) {
        pen = false;
        continue;
      }
      const x = plot.valToPos(round, "x", true);
      if (pen) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      pen = true;
    }
    ctx.stroke();
  }
  ctx.setLineDash([]);
}
