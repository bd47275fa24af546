/** The round that a chart ends with: who came nearest and who was farthest, ringed and named. */
import { nameList } from "./format.js";

const NAMES = 2; // of each kind
const CHARACTERS = 16; // of a name

/** @typedef {import("./golden-readout.js").Round} Round */
/** @typedef {{seat: number, number: number}} Mark */

/**
 * The seats of one kind with the number that made them so.
 * @param {Round} round @param {number[]} seats @param {boolean} near
 * @returns {Mark[]}
 */
export function marksOf(round, seats, near) {
  const distance = (number) => Math.abs(number - (round.golden ?? 0)) * (near ? 1 : -1);
  return seats.flatMap((seat) => {
    const own = [...(round.numbers[seat] ?? [])].sort((a, b) => distance(a) - distance(b));
    return own.length ? [{ seat, number: own[0] }] : [];
  });
}

/** @param {string[]} names @returns {string} the first ones, and how many more there are */
export function shortList(names) {
  const shown = names.slice(0, NAMES).map((name) => (name.length > CHARACTERS ? `${name.slice(0, CHARACTERS - 1)}…` : name));
  const rest = names.length - shown.length;
  return rest > 0 ? interpolate(gettext("%(names)s and %(rest)s more"), { names: nameList(shown), rest }, true) : nameList(shown);
}

/**
 * @param {any} plot the uPlot instance
 * @param {Round | undefined} round
 * @param {{name: string}[]} seats
 * @param {{near: string, far: string, halo: string, size: number, family: string}} look `size` of the names, in pixels
 */
export function paintMarks(plot, round, seats, look) {
  if (!round || round.golden === null) return;
  const { ctx } = plot;
  ctx.save();
  ctx.font = `600 ${look.size}px ${look.family}`;
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  const { near, far, halo, size } = look;
  const y = paintKind(plot, round, seats, { marks: marksOf(round, round.nearest, true), color: near, halo, size, taken: null });
  paintKind(plot, round, seats, { marks: marksOf(round, round.farthest, false), color: far, halo, size, taken: y });
  ctx.restore();
}

/** @returns {number | null} where the names stand; `taken` is where others do */
function paintKind(plot, round, seats, { marks, color, halo, size, taken }) {
  if (marks.length === 0) return null;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const x = plot.valToPos(round.round, "x", true);
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * scale;
  for (const { number } of marks) {
    ctx.beginPath();
    ctx.arc(x, Math.max(bbox.top, plot.valToPos(number, "y", true)), 6 * scale, 0, Math.PI * 2);
    ctx.stroke();
  }
  const line = size * 1.3;
  const lowest = bbox.top + bbox.height - line / 2;
  let y = Math.max(bbox.top + line / 2, Math.min(lowest, plot.valToPos(marks[0].number, "y", true)));
  if (taken !== null && Math.abs(y - taken) < line) y = y > taken && taken + line <= lowest ? taken + line : taken - line;
  const text = shortList(marks.map(({ seat }) => seats[seat]?.name ?? ""));
  const gap = 10 * scale;
  const isLeft = x - gap - ctx.measureText(text).width > bbox.left;
  ctx.textAlign = isLeft ? "right" : "left";
  ctx.strokeStyle = halo;
  ctx.lineWidth = 4 * scale;
  ctx.strokeText(text, isLeft ? x - gap : x + gap, y);
  ctx.fillStyle = color;
  ctx.fillText(text, isLeft ? x - gap : x + gap, y);
  return y;
}
