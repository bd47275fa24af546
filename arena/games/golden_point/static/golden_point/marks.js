/**
 * Marks for the last round of a chart: a ring around each nearest number and a square around each farthest one, and a
 * strip above the plot, where it covers nothing, that explains both and names the players. Numbers above the plot, which
 * have no height in it, are written beside its upper edge. Marks and text are black or white, because the other colours
 * are those of the players.
 */
import { nameList, playedNumber } from "#site/format.js";

const NAMES = 2; // of each kind
const CHARACTERS = 20; // of a name; nicknames fit in full
const NARROW = 480; // pixels; a narrower chart puts each kind on its own line
const LINE = 1.35; // times the font size
const WRITTEN = 4; // the most numbers above the plot that are written out

/** @typedef {import("./readout.js").Round} Round */
/** @typedef {{seat: number, number: number}} Mark */
/** @typedef {(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number) => void} Trace */
/** @typedef {{marks: Mark[], label: string, trace: Trace}} Kind */

/**
 * The nearest or farthest seats, each with its nearest or farthest number.
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
  const shown = names.slice(0, most).map((name) => (name.length > CHARACTERS ? `${name.slice(0, CHARACTERS - 1)}…` : name));
  const rest = names.length - shown.length;
  return rest > 0 ? interpolate(gettext("%(names)s and %(rest)s more"), { names: nameList(shown), rest }, true) : nameList(shown);
}

/**
 * @param {number} width of the chart
 * @param {number} size the font size; both in CSS pixels
 * @returns {number} the strip's height
 */
export function stripHeight(width, size) {
  return Math.ceil(size * LINE * (width < NARROW ? 2 : 1) + size * 0.4);
}

/**
 * The numbers of a round above the plot, highest first, as text; "" if there are none.
 * @param {Round} round
 * @param {number} top the highest value in the plot
 */
export function textAbove({ numbers }, top) {
  const above = numbers.flatMap((own) => own ?? []).filter((number) => number > top);
  above.sort((a, b) => b - a);
  const shown = above.slice(0, WRITTEN).map(playedNumber);
  return shown.join(" · ") + (above.length > WRITTEN ? " …" : "");
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{color: string, surface: string, size: number, family: string, bold?: number}} look `surface`: the colour
 * behind the chart; `size`: the font size in CSS pixels; `bold`: the scale factor in the projector view
 */
export function paintMarks(plot, round, seats, { color, surface, size, family, bold = 1 }) {
  if (!round || round.golden === null) return;
  const kinds = [
    { marks: marksOf(round, round.nearest, true), label: gettext("Nearest"), trace: traceRing },
    { marks: marksOf(round, round.farthest, false), label: gettext("Farthest"), trace: traceSquare },
  ].filter(({ marks }) => marks.length > 0);
  const { ctx } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = 2 * bold * scale;
  for (const kind of kinds) paintKind(plot, round, kind, 6 * bold);
  ctx.lineWidth = 2 * scale;
  ctx.font = `600 ${size * scale}px ${family}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  paintNames(plot, seats, kinds, size * scale);
  paintTextAbove(plot, round, surface, size * scale, 10 * bold * scale);
  ctx.restore();
}

/**
 * Write the numbers above the plot on that side of the round where there is more room.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {string} surface
 * @param {number} size
 * @param {number} gap between the round's marks and the text
 */
function paintTextAbove(plot, round, surface, size, gap) {
  const { ctx, bbox } = plot;
  const text = textAbove(round, plot.scales.y.max ?? Infinity);
  if (!text) return;
  const x = plot.valToPos(round.round, "x", true);
  const isLeft = x > bbox.left + bbox.width / 2;
  const place = /** @type {const} */ ([text, isLeft ? x - gap : x + gap, bbox.top + size * 0.6]);
  ctx.textAlign = isLeft ? "right" : "left";
  ctx.strokeStyle = surface;
  ctx.lineWidth = size * 0.3;
  ctx.lineJoin = "round";
  ctx.strokeText(...place);
  ctx.fillText(...place);
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
 * Paint each kind's sign and names, starting at the right edge: side by side, or stacked if the chart is narrow.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {{name: string}[]} seats
 * @param {Kind[]} kinds
 * @param {number} size
 */
function paintNames(plot, seats, kinds, size) {
  const { ctx, bbox } = plot;
  const isNarrow = plot.width < NARROW;
  const top = bbox.top - stripHeight(plot.width, size / devicePixelRatio) * devicePixelRatio;
  const room = (isNarrow ? bbox.width : bbox.width / kinds.length) - 2 * size;
  let right = bbox.left + bbox.width;
  [...kinds].reverse().forEach(({ marks, label, trace }, place) => {
    const text = fitting(ctx, label, marks.map(({ seat }) => seats[seat]?.name ?? ""), room);
    const x = right - Math.min(room, ctx.measureText(text).width);
    const y = top + size * LINE * (isNarrow ? kinds.length - place - 0.5 : 0.5);
    ctx.fillText(text, x, y, room);
    ctx.beginPath();
    trace(ctx, x - size * 0.7, y, size * 0.32);
    ctx.stroke();
    if (!isNarrow) right = x - 2.2 * size;
  });
}

/**
 * @param {string} label of a mark
 * @param {string[]} names
 * @param {number} [most]
 * @returns {string} an entry of the legend
 */
export const legendText = (label, names, most) => `${label} · ${shortList(names, most)}`;

/** @param {CanvasRenderingContext2D} ctx @param {string} label @param {string[]} names @param {number} room */
function fitting(ctx, label, names, room) {
  const whole = legendText(label, names);
  return ctx.measureText(whole).width <= room ? whole : legendText(label, names, 1);
}

/** @type {Trace} */
function traceRing(ctx, x, y, radius) {
  ctx.arc(x, y, radius, 0, Math.PI * 2);
}

/** @type {Trace} */
function traceSquare(ctx, x, y, radius) {
  ctx.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8);
}
