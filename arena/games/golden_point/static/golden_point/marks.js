/**
 * Marks for the last round of a chart: a ring around each nearest number and a square around each farthest one, and a
 * strip above the plot, where it covers nothing, that explains both and names the players. The strip also lists the
 * numbers above the plot, which have no height in it, with their players: on a wall and in a narrow chart in lines of
 * their own, elsewhere beside the names. Marks and text are black or white, because the other colours are those of the
 * players.
 */
import { nameList, playedNumber } from "#site/format.js";

const NAMES = 2; // of each kind
const CHARACTERS = 20; // of a name; nicknames fit in full
const NARROW = 480; // pixels; a narrower chart puts each kind on its own line, unless it is lower than `LOW`
const LOW = 200;
const LINE = 1.35; // times the font size
const WRITTEN = 5; // the most numbers above the plot that are written out
const WALL_LINES = 2; // for them, on a wall; a narrow chart has one

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

/** @param {string} name */
const shortName = (name) => (name.length > CHARACTERS ? `${name.slice(0, CHARACTERS - 1)}…` : name);

/** @param {string[]} names @param {number} [most] @returns {string} the first names, and how many more there are */
export function shortList(names, most = NAMES) {
  const shown = names.slice(0, most).map(shortName);
  const rest = names.length - shown.length;
  return rest > 0 ? interpolate(gettext("%(names)s and %(rest)s more"), { names: nameList(shown), rest }, true) : nameList(shown);
}

/** @param {{width: number, height: number}} chart in CSS pixels @returns {boolean} whether each kind has its own line */
const isStacked = ({ width, height }) => width < NARROW && height >= LOW;

/**
 * @param {{width: number, height: number}} chart
 * @param {number} size the font size; all in CSS pixels
 * @param {number} listLines the lines reserved for the numbers above the plot; see `linesAbove`
 * @returns {number} the strip's height
 */
export function stripHeight(chart, size, listLines) {
  return Math.ceil(size * LINE * ((isStacked(chart) ? 2 : 1) + listLines) + size * 0.4);
}

/**
 * @param {{width: number, height: number}} chart
 * @param {boolean} onWall
 * @returns {number} the most lines of their own for the numbers above the plot
 */
export const mostLinesAbove = (chart, onWall) => (onWall ? WALL_LINES : Number(isStacked(chart)));

/**
 * How many lines of their own the numbers above the plot need: on a wall at most two, in a narrow chart at most one.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{size: number, family: string, onWall: boolean}} look `size`: in CSS pixels
 */
export function linesAbove(plot, round, seats, { size, family, onWall }) {
  const most = mostLinesAbove(plot, onWall);
  if (!most || !round || round.golden === null) return 0;
  const { ctx } = plot;
  ctx.save();
  ctx.font = markFont(size, family);
  const lines = fittingLinesAbove(ctx, round, plot.scales.y.max ?? Infinity, seats, wallRoom(plot, size * devicePixelRatio), most);
  ctx.restore();
  return lines?.length ?? 0;
}

/** @param {number} size in CSS pixels @param {string} family */
const markFont = (size, family) => `600 ${size * devicePixelRatio}px ${family}`;

/** The width of a line below the names, which may extend beyond the plot. @param {import("#charts/frame.js").Plot} plot @param {number} size */
const wallRoom = (plot, size) => plot.width * devicePixelRatio - (plot.bbox.left || 0) - size * 2;

/**
 * The numbers of a round above the plot, highest first, and how many more there are.
 * @param {Round} round
 * @param {number} top the highest value in the plot
 * @param {{name: string}[] | null} seats whose names are written; null: only the numbers
 * @param {number} [most] the most numbers to write
 * @returns {string[]}
 */
export function numbersAbove({ numbers }, top, seats, most = WRITTEN) {
  const above = numbers.flatMap((own, seat) => (own ?? []).map((number) => ({ seat, number }))).filter(({ number }) => number > top);
  above.sort((a, b) => b.number - a.number);
  const shown = above.slice(0, most).map(({ seat, number }) => `${seats ? `${shortName(seats[seat]?.name ?? "")} ` : ""}${playedNumber(number)}`);
  if (above.length > most) shown.push(interpolate(gettext("+%s more"), [above.length - most]));
  return shown;
}

/**
 * As many of the numbers above the plot as fit: with names, if at least one of them fits.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Round} round
 * @param {number} top the highest value in the plot
 * @param {{name: string}[]} seats
 * @param {number} room the width of a line
 * @param {number} lines how many there are
 * @returns {string[] | null} the lines; null: not even one number fits
 */
function fittingLinesAbove(ctx, round, top, seats, room, lines) {
  for (const named of [seats, null]) {
    for (let most = WRITTEN; most > 0; most -= 1) {
      const wrapped = wrap(ctx, numbersAbove(round, top, named, most), room);
      if (wrapped.length <= lines && wrapped.every((line) => ctx.measureText(line).width <= room)) return wrapped;
    }
  }
  return null;
}

/** @param {CanvasRenderingContext2D} ctx @param {string[]} parts @param {number} room @returns {string[]} lines */
function wrap(ctx, parts, room) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const longer = lines.length ? `${lines[lines.length - 1]} · ${part}` : part;
    if (lines.length && ctx.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{color: string, surface: string, size: number, family: string, bold?: number, listLines?: number}} look `surface`:
 * the colour behind the chart; `size`: the font size in CSS pixels; `bold`: the scale factor in the projector view;
 * `listLines`: see `stripHeight`
 */
export function paintMarks(plot, round, seats, { color, surface, size, family, bold = 1, listLines = 0 }) {
  if (!round || round.golden === null) return;
  const kinds = [
    { marks: marksOf(round, round.nearest, true), label: gettext("Nearest"), trace: traceRing },
    { marks: marksOf(round, round.farthest, false), label: gettext("Farthest"), trace: traceSquare },
  ].filter(({ marks }) => marks.length > 0);
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = 2 * bold * scale;
  for (const kind of kinds) paintKind(plot, round, kind, 6 * bold);
  ctx.lineWidth = 2 * scale;
  ctx.font = markFont(size, family);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const top = bbox.top - stripHeight(plot, size, listLines) * scale;
  const end = paintNames(plot, seats, kinds, size * scale, top);
  const below = listLines > 0;
  const firstLine = (isStacked(plot) ? 2 : 1) + 0.5;
  const start = bbox.left + size * scale * 1.4;
  const list = { start, room: below ? wallRoom(plot, size * scale) : end - start, y: top + size * scale * LINE * (below ? firstLine : 0.5), lines: below ? listLines : 1 };
  if (!paintListAbove(plot, round, seats, size * scale, list)) paintTextAbove(plot, round, seats, surface, size * scale, 10 * bold * scale);
  ctx.restore();
}

/**
 * Write as many of the numbers above the plot as fit into lines of the strip.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {number} size
 * @param {{start: number, room: number, y: number, lines: number}} list its left edge, the width and the number of its
 * lines, and the middle of the first one
 * @returns {boolean} whether at least one number fits
 */
function paintListAbove(plot, round, seats, size, { start, room, y, lines }) {
  const { ctx, bbox } = plot;
  const texts = fittingLinesAbove(ctx, round, plot.scales.y.max ?? Infinity, seats, room, lines);
  if (!texts?.length) return texts !== null;
  ctx.textAlign = "left";
  texts.forEach((text, line) => ctx.fillText(text, start, y + line * size * LINE));
  ctx.beginPath();
  traceTriangle(ctx, bbox.left + size * 0.6, y, size * 0.36);
  ctx.fill();
  return true;
}

/**
 * Write the numbers above the plot on that side of the round where there is more room,
 * below the triangles.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {Round} round
 * @param {{name: string}[]} seats
 * @param {string} surface
 * @param {number} size
 * @param {number} gap between the round's marks and the text
 */
function paintTextAbove(plot, round, seats, surface, size, gap) {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(round.round, "x", true);
  const isLeft = x > bbox.left + bbox.width / 2;
  const room = (isLeft ? x - bbox.left : bbox.left + bbox.width - x) - gap;
  const top = plot.scales.y.max ?? Infinity;
  const text = (fittingLinesAbove(ctx, round, top, seats, room, 1) ?? numbersAbove(round, top, null, 1)).join(" · ");
  if (!text) return;
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
 * @param {number} top the strip's upper edge
 * @returns {number} where the names in the first line start
 */
function paintNames(plot, seats, kinds, size, top) {
  const { ctx, bbox } = plot;
  const stacked = isStacked(plot);
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
