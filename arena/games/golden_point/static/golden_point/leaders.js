/**
 * The leaders on a projector's chart: their numbers as lines, with their names at the ends, without overlaps. A name
 * that is too long for one line takes two.
 */
import { nameList } from "#site/format.js";
import { isHollow } from "#charts/seat-swatches.js";
import { lineDashes } from "./points.js";

/** @typedef {{seat: number, text: string}} Leader */

const LINE = 1.15; // the height of a line of a name, times the font size
const PLACES = 3;
const MOST = 6; // names that fit beside the chart
const MARGIN = 1.6; // beside a name, for its dot; times the font size

/**
 * Return the players to name: everyone ranked first to third. If a tie would make them too many, only those ahead of
 * it; if all have 0 points, nobody.
 * @template {{score: number}} Player
 * @param {Player[]} standings best first
 * @returns {Player[]}
 */
export function leadersOf(standings) {
  if (standings.every(({ score }) => score === 0)) return [];
  const last = standings[Math.min(PLACES, standings.length) - 1].score;
  const leaders = standings.filter(({ score }) => score >= last);
  return leaders.length <= MOST ? leaders : leaders.filter(({ score }) => score > last);
}

/**
 * Return the labels of the leaders. A label also names the player who submitted the same number without being a leader,
 * or says how many such players there are, because their lines end at the same point.
 * @param {{seat: number, name: string, rank: number, score: number}[]} standings best first
 * @param {(number[] | null)[]} numbers of the last round, by seat
 * @returns {Leader[]}
 */
export function leaderLabels(standings, numbers) {
  const leaders = leadersOf(standings);
  const label = (/** @type {{name: string, rank: number}} */ { name, rank }) => `${rank}\u00a0${name}`;
  const numberOf = (/** @type {{seat: number}} */ { seat }) => numbers[seat]?.[0];
  return leaders.map((leader) => {
    const number = numberOf(leader);
    const isFirst = leaders.find((one) => numberOf(one) === number) === leader;
    const others = standings.filter((one) => isFirst && number !== undefined && numberOf(one) === number && !leaders.includes(one));
    const names = nameList([leader, ...(others.length === 1 ? others : [])].map(label));
    const text = others.length > 1 ? interpolate(gettext("%(names)s and %(rest)s more"), { names, rest: others.length }, true) : names;
    return { seat: leader.seat, text };
  });
}

/**
 * Break a label into two lines, if it is too wide for one: between words or else anywhere, and as evenly as possible.
 * @param {(text: string) => number} widthOf
 * @param {string} text
 * @param {number} space
 * @returns {string[]} one or two lines; nothing is left out, so halves of a very long label may be wider than `space`
 */
export function labelLines(widthOf, text, space) {
  if (widthOf(text) <= space) return [text];
  const characters = [...text];
  const pairs = characters.slice(1).map((_, at) => [characters.slice(0, at + 1).join(""), characters.slice(at + 1).join("")]);
  const widest = (/** @type {string[]} */ lines) => Math.max(...lines.map(widthOf));
  const narrowest = (/** @type {string[][]} */ some) =>
    some.map((lines) => lines.map((line) => line.trim())).reduce((best, lines) => (widest(lines) < widest(best) ? lines : best), [text]);
  const between = narrowest(pairs.filter(([first, second]) => /[ -]$/.test(first) && /^\S/.test(second)));
  return widest(between) <= space ? between : narrowest(pairs);
}

/**
 * Return the width that labels need beside a plot, with the space for their dots.
 * @param {(text: string) => number} widthOf
 * @param {string[]} texts
 * @param {{size: number, most: number}} style `size`: the font size; `most`: a wider label takes two lines
 */
export function labelSpace(widthOf, texts, { size, most }) {
  const lines = texts.flatMap((text) => labelLines(widthOf, text, most - size * MARGIN));
  return Math.min(most, Math.ceil(Math.max(0, ...lines.map(widthOf)) + size * MARGIN) + 1); // 1: for rounding errors
}

/**
 * Move labels apart, only as far as needed to keep them from overlapping; all stay between `low` and `high`, as far as
 * there is space.
 * @param {number[]} wanted the middle of each label
 * @param {number[]} heights of the labels
 * @param {number} low
 * @param {number} high
 * @returns {number[]} the middle of each label, in the original order
 */
export function spreadLabels(wanted, heights, low, high) {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b]);
  const half = order.map((index) => heights[index] / 2);
  const places = order.map((index, place) => Math.min(high - half[place], Math.max(low + half[place], wanted[index])));
  for (let next = 1; next < places.length; next += 1) places[next] = Math.max(places[next], places[next - 1] + half[next - 1] + half[next]);
  let edge = high;
  for (let place = places.length - 1; place >= 0; place -= 1) {
    places[place] = Math.min(places[place], edge - half[place]);
    edge = places[place] - half[place];
  }
  const result = Array(wanted.length).fill(0);
  order.forEach((index, place) => (result[index] = places[place]));
  return result;
}

/**
 * Return the first labels that fit above each other.
 * @template {{lines: string[]}} Label
 * @param {Label[]} labels
 * @param {number} most lines
 * @returns {Label[]}
 */
export function fittingLabels(labels, most) {
  let used = 0;
  return labels.filter(({ lines }) => (used += lines.length) <= most);
}

/** @param {number} size in CSS pixels @param {string} family */
export const leaderFont = (size, family) => `650 ${size * devicePixelRatio}px ${family}`;

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {import("./points.js").RoundView | undefined} round the last round shown
 * @param {Leader[]} leaders best first
 * @param {{hues: string[], size: number, family: string, space: number}} style `size`: the font size; `space`: the space
 * to the right of the plot; both in CSS pixels
 */
export function paintLeaders(plot, round, leaders, { hues, size, family, space }) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const letters = size * scale;
  const nameSpace = (space - size * MARGIN) * scale;
  const dashes = lineDashes(leaders.map(({ seat }) => seat));
  ctx.save();
  ctx.font = leaderFont(size, family);
  const labels = leaders.flatMap(({ seat, text }) => {
    const number = round?.numbers[seat]?.[0];
    if (number === undefined) return [];
    const y = Math.max(bbox.top, plot.valToPos(number, "y", true));
    return [{ seat, y, lines: labelLines((line) => ctx.measureText(line).width, text, nameSpace) }];
  });
  const named = fittingLabels(labels, Math.floor(bbox.height / (letters * LINE)));
  const heights = named.map(({ lines }) => lines.length * letters * LINE);
  const places = spreadLabels(named.map(({ y }) => y), heights, bbox.top, bbox.top + bbox.height);
  const left = bbox.left + bbox.width;
  const end = plot.valToPos(round?.round ?? 0, "x", true) + letters * 0.8; // to the right of a mark's ring
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.lineWidth = 2 * scale;
  named.forEach(({ seat, lines, y }, index) => {
    ctx.strokeStyle = ctx.fillStyle = hues[seat % hues.length];
    ctx.globalAlpha = 0.4;
    ctx.setLineDash((dashes.get(seat) ?? []).map((length) => length * scale));
    ctx.beginPath();
    ctx.moveTo(end, y);
    ctx.lineTo(left + 2 * scale, y);
    ctx.lineTo(left + letters * 0.5, places[index]);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(left + letters, places[index], letters * 0.28, 0, Math.PI * 2);
    if (isHollow(seat)) ctx.stroke();
    else ctx.fill();
    const first = places[index] - ((lines.length - 1) / 2) * letters * LINE;
    lines.forEach((line, place) => ctx.fillText(line, left + letters * 1.5, first + place * letters * LINE, nameSpace));
  });
  ctx.restore();
}
