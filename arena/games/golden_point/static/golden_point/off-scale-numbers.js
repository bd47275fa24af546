/**
 * Off-scale numbers: those above the range of a chart's axis, with their players, on a projector and in a narrow chart on
 * lines of their own, elsewhere beside the names of the nearest and farthest players.
 */
import { playedNumber } from "#site/format.js";
import { LINE, annotationFont, availableWidth, isStacked, shortName } from "./annotations.js";

const WRITTEN = 5; // the most numbers above the plot that are written out
const PROJECTOR_LINES = 3; // for them and the names, on a projector; a narrow chart has one for them

/** @typedef {import("./readout.js").Round} Round */

/**
 * @param {{width: number, height: number}} chart
 * @param {boolean} onProjector
 * @param {number} [nameLines] the lines of the names
 * @returns {number} the most lines of their own for the numbers above the plot
 */
export const maxOffScaleLines = (chart, onProjector, nameLines = 1) => (onProjector ? PROJECTOR_LINES - nameLines : Number(isStacked(chart)));

/**
 * Return how many lines of their own the numbers above the plot need: on a projector at most two, in a narrow chart at
 * most one.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{size: number, family: string, onProjector: boolean}} style `size`: in CSS pixels
 */
export function offScaleLineCount(plot, round, seats, { size, family, onProjector }) {
  const most = maxOffScaleLines(plot, onProjector);
  if (!most || !round || round.golden === null) return 0;
  const { ctx } = plot;
  ctx.save();
  ctx.font = annotationFont(size, family);
  const lines = fittingLines(ctx, round, plot.scales.y.max ?? Infinity, seats, availableWidth(plot, size * devicePixelRatio), most);
  ctx.restore();
  return lines?.length ?? 0;
}

/**
 * Return the numbers of a round above the plot, highest first, and how many more there are.
 * @param {Round} round
 * @param {number} top the highest value in the plot
 * @param {{name: string}[] | null} seats whose names are written; null: only the numbers
 * @param {number} [most] the most numbers to write
 * @returns {string[]}
 */
export function offScaleNumbers({ numbers }, top, seats, most = WRITTEN) {
  const above = numbers.flatMap((own, seat) => (own ?? []).map((number) => ({ seat, number }))).filter(({ number }) => number > top);
  above.sort((a, b) => b.number - a.number);
  const shown = above.slice(0, most).map(({ seat, number }) => `${seats ? `${shortName(seats[seat]?.name ?? "")} ` : ""}${playedNumber(number)}`);
  if (above.length > most) shown.push(interpolate(gettext("+%s more"), [above.length - most]));
  return shown;
}

/**
 * Return the numbers above the plot that fit: with names, if at least one of them fits.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Round} round
 * @param {number} top the highest value in the plot
 * @param {{name: string}[]} seats
 * @param {number} space the width of a line
 * @param {number} lines how many there are
 * @returns {string[] | null} the lines; null: not even one number fits
 */
function fittingLines(ctx, round, top, seats, space, lines) {
  for (const named of [seats, null]) {
    for (let most = WRITTEN; most > 0; most -= 1) {
      const wrapped = wrap(ctx, offScaleNumbers(round, top, named, most), space);
      if (wrapped.length <= lines && wrapped.every((line) => ctx.measureText(line).width <= space)) return wrapped;
    }
  }
  return null;
}

/** @param {CanvasRenderingContext2D} ctx @param {string[]} parts @param {number} space @returns {string[]} lines */
function wrap(ctx, parts, space) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const longer = lines.length ? `${lines[lines.length - 1]} · ${part}` : part;
    if (lines.length && ctx.measureText(longer).width <= space) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/**
 * Write as many of the numbers above the plot as fit into their lines of the annotations.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {number} size
 * @param {{start: number, space: number, y: number, lines: number}} list its left edge, the width and the number of its
 * lines, and the middle of the first one
 * @returns {boolean} whether at least one number fits
 */
export function paintOffScaleList(plot, round, seats, size, { start, space, y, lines }) {
  const { ctx, bbox } = plot;
  const texts = fittingLines(ctx, round, plot.scales.y.max ?? Infinity, seats, space, lines);
  if (!texts?.length) return texts !== null;
  ctx.textAlign = "left";
  texts.forEach((text, line) => ctx.fillText(text, start, y + line * size * LINE));
  ctx.beginPath();
  traceTriangle(ctx, bbox.left + size * 0.6, y, size * 0.36);
  ctx.fill();
  return true;
}

/**
 * Write the numbers above the plot on that side of the round where there is more space,
 * below the triangles.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {string} surface
 * @param {number} size
 * @param {number} gap between the round's marks and the text
 */
export function paintOffScaleText(plot, round, seats, surface, size, gap) {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(round.round, "x", true);
  const isLeft = x > bbox.left + bbox.width / 2;
  const space = (isLeft ? x - bbox.left : bbox.left + bbox.width - x) - gap;
  const top = plot.scales.y.max ?? Infinity;
  const text = (fittingLines(ctx, round, top, seats, space, 1) ?? offScaleNumbers(round, top, null, 1)).join(" · ");
  if (!text) return;
  const place = /** @type {const} */ ([text, isLeft ? x - gap : x + gap, bbox.top + gap + size * 0.6]);
  ctx.textAlign = isLeft ? "right" : "left";
  ctx.strokeStyle = surface;
  ctx.lineWidth = size * 0.3;
  ctx.lineJoin = "round";
  ctx.strokeText(...place);
  ctx.fillText(...place);
}

/** @type {import("./marks.js").Trace} */
function traceTriangle(ctx, x, y, radius) {
  ctx.moveTo(x, y - radius);
  ctx.lineTo(x + radius * 1.2, y + radius * 0.9);
  ctx.lineTo(x - radius * 1.2, y + radius * 0.9);
  ctx.closePath();
}
