/**
 * Marks for the last round of a chart: a ring around each nearest number and a square around each farthest one, and
 * annotations above the plot that explain both and name the players. Marks and text are black or white, because the
 * other colours are those of the players.
 */
import { nameList } from "#site/format.js";
import { LINE, annotationFont, annotationHeight, availableWidth, isStacked, shortName } from "./annotations.js";
import { paintOffScaleList, paintOffScaleText } from "./off-scale-numbers.js";

const NAMES = 2; // of each kind
const KEY_WIDTH = 2.2; // the width of a kind's legend key and the gap before it, as a multiple of the font size

/** @typedef {import("./readout.js").Round} Round */
/** @typedef {{seat: number, number: number}} Mark */
/** @typedef {(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number) => void} Trace */
/** @typedef {{marks: Mark[], label: string, trace: Trace}} Kind */

/**
 * Return the nearest or farthest seats, each with its nearest or farthest number.
 * @param {Round} round
 * @param {number[]} seats
 * @param {boolean} near
 * @returns {Mark[]}
 */
export function marksOf(round, seats, near) {
  const distance = (/** @type {number} */ number) => Math.abs(number - (round.golden ?? 0)) * (near ? 1 : -1);
  return seats.flatMap((seat) => {
    const own = [...(round.numbers[seat] ?? [])].sort((a, b) => distance(a) - distance(b));
    return own.length ? [{ seat, number: own[0] }] : [];
  });
}

/** @param {string[]} names @param {number} [most] @returns {string} the first names, and how many more there are */
export function shortList(names, most = NAMES) {
  const shown = names.slice(0, most).map(shortName);
  const rest = names.length - shown.length;
  return rest > 0 ? interpolate(gettext("%(names)s and %(rest)s more"), { names: nameList(shown), rest }, true) : nameList(shown);
}

/**
 * @param {Round} round
 * @returns {Kind[]} that have players
 */
function kindsOf(round) {
  return [
    { marks: marksOf(round, round.nearest, true), label: gettext("Nearest"), trace: traceRing },
    { marks: marksOf(round, round.farthest, false), label: gettext("Farthest"), trace: traceSquare },
  ].filter(({ marks }) => marks.length > 0);
}

/**
 * Return how many lines the names of the nearest and farthest players need: on a projector two if they do not fit side
 * by side, in a narrow chart always two.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{size: number, family: string, onProjector: boolean}} style `size`: in CSS pixels
 */
export function linesOfNames(plot, round, seats, { size, family, onProjector }) {
  if (isStacked(plot)) return 2;
  if (!onProjector || !round || round.golden === null) return 1;
  const { ctx } = plot;
  ctx.save();
  ctx.font = annotationFont(size, family);
  const scaled = size * devicePixelRatio;
  const kinds = kindsOf(round);
  const width = totalWidth(ctx, textsOf(kinds, seats, 1));
  ctx.restore();
  return width <= availableWidth(plot, scaled) - kinds.length * KEY_WIDTH * scaled ? 1 : 2;
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{color: string, surface: string, size: number, family: string, bold?: number, offScaleLines?: number,
 * nameLines?: number, onProjector?: boolean}} style `surface`: the colour behind the chart; `size`: the font size in CSS
 * pixels; `bold`: the scale factor in the projector view; `offScaleLines`, `nameLines`: see `annotationHeight`
 */
export function paintMarks(plot, round, seats, style) {
  if (!round || round.golden === null) return;
  const { color, surface, size, family, bold = 1, offScaleLines = 0, nameLines = isStacked(plot) ? 2 : 1, onProjector = false } = style;
  const kinds = kindsOf(round);
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = 2 * bold * scale;
  for (const kind of kinds) paintKind(plot, round, kind, 6 * bold);
  ctx.lineWidth = 2 * scale;
  ctx.font = annotationFont(size, family);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const top = bbox.top - annotationHeight(plot, size, offScaleLines, nameLines) * scale;
  const end = paintNames(plot, seats, kinds, { size: size * scale, top, lines: nameLines, onProjector });
  const below = offScaleLines > 0;
  const start = bbox.left + size * scale * 1.4;
  const y = top + size * scale * LINE * (below ? nameLines + 0.5 : 0.5);
  const list = { start, space: below ? availableWidth(plot, size * scale) : end - start, y, lines: below ? offScaleLines : 1 };
  if (!paintOffScaleList(plot, round, seats, size * scale, list)) paintOffScaleText(plot, round, seats, surface, size * scale, 10 * bold * scale);
  ctx.restore();
}

/** @param {import("#charts/frame.js").Plot} plot @param {Round} round @param {Kind} kind @param {number} radius in CSS pixels */
function paintKind(plot, round, { marks, trace }, radius) {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(round.round, "x", true);
  for (const { number } of marks) {
    ctx.beginPath();
    trace(ctx, x, Math.max(bbox.top, plot.valToPos(number, "y", true)), radius * devicePixelRatio);
    ctx.stroke();
  }
}

/**
 * Paint each kind's legend key and names, each kind on its own line or side by side: on a projector above the whole
 * chart, starting at the left edge, elsewhere ending at the right edge of the plot.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {{name: string}[]} seats
 * @param {Kind[]} kinds
 * @param {{size: number, top: number, lines: number, onProjector: boolean}} style `top`: the annotations' upper edge
 * @returns {number} where the names in the first line start
 */
function paintNames(plot, seats, kinds, { size, top, lines, onProjector }) {
  const { ctx, bbox } = plot;
  const stacked = lines > 1;
  const gap = KEY_WIDTH * size;
  const space = onProjector ? availableWidth(plot, size) : bbox.width;
  const together = stacked ? 1 : kinds.length;
  const texts = fittingTexts(ctx, kinds, seats, { space, together, gap });
  const most = stacked ? space - gap : totalWidth(ctx, texts) + together * gap <= space ? Infinity : space / together - gap;
  const widths = texts.map((text) => Math.min(most, ctx.measureText(text).width));
  const all = stacked ? Math.max(0, ...widths) : widths.reduce((sum, width) => sum + width + gap, -gap);
  const start = onProjector ? bbox.left + size * 1.4 : bbox.left + bbox.width - all;
  let x = start;
  texts.forEach((text, line) => {
    const y = top + size * LINE * (stacked ? line + 0.5 : 0.5);
    ctx.fillText(text, x, y, widths[line]);
    ctx.beginPath();
    kinds[line].trace(ctx, x - size * 0.7, y, size * 0.32);
    ctx.stroke();
    if (!stacked) x += widths[line] + gap;
  });
  return start - gap;
}

/**
 * @param {string} label of a mark
 * @param {string[]} names
 * @param {number} [most]
 * @returns {string} an entry of the legend
 */
export const legendText = (label, names, most) => `${label} · ${shortList(names, most)}`;

/**
 * @param {Kind[]} kinds
 * @param {{name: string}[]} seats
 * @param {number} most names of each kind
 */
function textsOf(kinds, seats, most) {
  return kinds.map(({ marks, label }) => legendText(label, marks.map(({ seat }) => seats[seat]?.name ?? ""), most));
}

/** @param {CanvasRenderingContext2D} ctx @param {string[]} texts */
const totalWidth = (ctx, texts) => texts.reduce((sum, text) => sum + ctx.measureText(text).width, 0);

/**
 * Return the legend with two names of each kind or, if they do not fit, one.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Kind[]} kinds
 * @param {{name: string}[]} seats
 * @param {{space: number, together: number, gap: number}} line its width, the number of kinds on it, and the space for
 * the legend key of each
 */
function fittingTexts(ctx, kinds, seats, { space, together, gap }) {
  const two = textsOf(kinds, seats, NAMES);
  const one = textsOf(kinds, seats, 1);
  const fit = (/** @type {string[]} */ texts) => totalWidth(ctx, texts) + texts.length * gap <= space;
  if (together > 1) return fit(two) ? two : one;
  return two.map((text, place) => (fit([text]) ? text : one[place]));
}

/** @type {Trace} */
function traceRing(ctx, x, y, radius) {
  ctx.arc(x, y, radius, 0, Math.PI * 2);
}

/** @type {Trace} */
function traceSquare(ctx, x, y, radius) {
  ctx.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8);
}
