/**
 * Marks for the last round of a chart: a ring around each nearest number and a square around each farthest one, and a
 * strip above the plot, where it covers nothing, that explains both and names the players. The strip also lists the
 * numbers above the plot, which have no height in it; in a narrow chart, they are below the triangles at its edge. Marks and text are black or white, because the other colours
 * are those of the players.
 */
import { nameList, playedNumber } from "#site/format.js";

const NAMES = 2; // of each kind
const CHARACTERS = 20; // of a name; nicknames fit in full
const NARROW = 480; // pixels; a narrower chart puts each kind on its own line, unless it is lower than `LOW`
const LOW = 200;
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

/** @param {{width: number, height: number}} chart in CSS pixels @returns {boolean} whether each kind has its own line */
const isStacked = ({ width, height }) => width < NARROW && height >= LOW;

/**
 * @param {{width: number, height: number}} chart
 * @param {number} size the font size; all in CSS pixels
 * @returns {number} the strip's height
 */
export function stripHeight(chart, size) {
  return Math.ceil(size * LINE * (isStacked(chart) ? 2 : 1) + size * 0.4);
}

/**
 * The numbers of a round above the plot, highest first, as text; "" if there are none.
 * @param {Round} round
 * @param {number} top the highest value in the plot
 * @param {number} [most] the most numbers to write
 */
export function textAbove({ numbers }, top, most = WRITTEN) {
  const above = numbers.flatMap((own) => own ?? []).filter((number) => number > top);
  above.sort((a, b) => b - a);
  const shown = above.slice(0, most).map(playedNumber);
  return shown.join(" · ") + (above.length > most ? " …" : "");
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
  const end = paintNames(plot, seats, kinds, size * scale);
  if (!paintListAbove(plot, round, size * scale, end)) paintTextAbove(plot, round, surface, size * scale, 10 * bold * scale);
  ctx.restore();
}

/**
 * Write as many of the numbers above the plot as fit into the strip, to the left of the names.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {number} size
 * @param {number} end of the free room
 * @returns {boolean} whether at least one number fits
 */
function paintListAbove(plot, round, size, end) {
  const { ctx, bbox } = plot;
  const start = bbox.left + size * 1.4;
  const y = stripTop(plot, size) + size * LINE * 0.5;
  for (let most = WRITTEN; most > 0; most -= 1) {
    const text = textAbove(round, plot.scales.y.max ?? Infinity, most);
    if (start + ctx.measureText(text).width > end) continue;
    if (text) {
      ctx.textAlign = "left";
      ctx.fillText(text, start, y);
      ctx.beginPath();
      traceTriangle(ctx, bbox.left + size * 0.6, y, size * 0.36);
      ctx.fill();
    }
    return true;
  }
  return false;
}

/**
 * Write the numbers above the plot on that side of the round where there is more room,
 * below the triangles.
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
  const place = /** @type {const} */ ([text, isLeft ? x - gap : x + gap, bbox.top + gap + size * 0.6]);
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
 * Paint each kind's sign and names, starting at the right edge: side by side, or stacked if the chart is narrow and high.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {{name: string}[]} seats
 * @param {Kind[]} kinds
 * @param {number} size
 * @returns {number} where the names in the first line start
 */
function paintNames(plot, seats, kinds, size) {
  const { ctx, bbox } = plot;
  const stacked = isStacked(plot);
  const top = stripTop(plot, size);
  const room = (stacked ? bbox.width : bbox.width / kinds.length) - 2 * size;
  let right = bbox.left + bbox.width;
  let start = right;
  [...kinds].reverse().forEach(({ marks, label, trace }, place) => {
    const text = fitting(ctx, label, marks.map(({ seat }) => seats[seat]?.name ?? ""), room);
    const x = right - Math.min(room, ctx.measureText(text).width);
    const y = top + size * LINE * (stacked ? kinds.length - place - 0.5 : 0.5);
    ctx.fillText(text, x, y, room);
    ctx.beginPath();
    trace(ctx, x - size * 0.7, y, size * 0.32);
    ctx.stroke();
    start = x - 2.2 * size;
    if (!stacked) right = start;
  });
  return start;
}

/** @param {import("#charts/frame.js").Plot} plot @param {number} size @returns {number} the strip's upper edge */
function stripTop(plot, size) {
  return plot.bbox.top - stripHeight(plot, size / devicePixelRatio) * devicePixelRatio;
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

/** @type {Trace} */
function traceTriangle(ctx, x, y, radius) {
  ctx.moveTo(x, y - radius);
  ctx.lineTo(x + radius * 1.2, y + radius * 0.9);
  ctx.lineTo(x - radius * 1.2, y + radius * 0.9);
  ctx.closePath();
}
