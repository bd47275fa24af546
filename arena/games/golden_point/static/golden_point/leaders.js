/** The leaders on a projector's chart: their numbers as lines, with their names at the ends, without overlaps. */
import { isHollow } from "#charts/seat-signs.js";
import { lineDashes } from "./points.js";

/** @typedef {{seat: number, text: string}} Leader */

const GAP = 1.15; // times the font size, between two names
const PLACES = 3;
const MOST = 6; // names that fit beside the chart

/**
 * The players to name: everyone ranked first to third. If a tie would make them too many, only those ahead of it;
 * if all have 0 points, nobody.
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
 * Move positions apart, only as far as needed, until neighbours are `gap` apart; all stay between `low` and `high`.
 * @param {number[]} wanted
 * @param {number} gap
 * @param {number} low
 * @param {number} high
 * @returns {number[]} in the original order
 */
export function spreadPositions(wanted, gap, low, high) {
  const order = wanted.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  const places = order.map(({ place }) => Math.min(high, Math.max(low, place)));
  for (let next = 1; next < places.length; next += 1) places[next] = Math.max(places[next], places[next - 1] + gap);
  let most = high;
  for (let place = places.length - 1; place >= 0; place -= 1) {
    places[place] = Math.min(places[place], most);
    most = places[place] - gap;
  }
  const result = Array(wanted.length).fill(0);
  order.forEach(({ index }, place) => (result[index] = places[place]));
  return result;
}

/**
 * @param {import("#charts/frame.js").Plot} plot
 * @param {import("./points.js").RoundView | undefined} round the last round shown
 * @param {Leader[]} leaders
 * @param {{hues: string[], size: number, family: string, room: number}} look `size`: the font size; `room`: the space
 * to the right of the plot; both in CSS pixels
 */
export function paintLeaders(plot, round, leaders, { hues, size, family, room }) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const dashes = lineDashes(leaders.map(({ seat }) => seat));
  const named = leaders.flatMap(({ seat, text }) => {
    const number = round?.numbers[seat]?.[0];
    return number === undefined ? [] : [{ seat, text, y: Math.max(bbox.top, plot.valToPos(number, "y", true)) }];
  });
  const places = spreadPositions(named.map(({ y }) => y), size * GAP * scale, bbox.top + size * scale * 0.5, bbox.top + bbox.height - size * scale * 0.5);
  const left = bbox.left + bbox.width;
  const end = plot.valToPos(round?.round ?? 0, "x", true) + size * 0.8 * scale; // to the right of a mark's ring
  ctx.save();
  ctx.font = `650 ${size * scale}px ${family}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.lineWidth = 2 * scale;
  named.forEach(({ seat, text, y }, index) => {
    ctx.strokeStyle = ctx.fillStyle = hues[seat % hues.length];
    ctx.globalAlpha = 0.4;
    ctx.setLineDash((dashes.get(seat) ?? []).map((length) => length * scale));
    ctx.beginPath();
    ctx.moveTo(end, y);
    ctx.lineTo(left + 2 * scale, y);
    ctx.lineTo(left + size * 0.5 * scale, places[index]);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(left + size * scale, places[index], size * 0.28 * scale, 0, Math.PI * 2);
    if (isHollow(seat)) ctx.stroke();
    else ctx.fill();
    ctx.fillText(text, left + size * 1.5 * scale, places[index], (room - size * 1.6) * scale);
  });
  ctx.restore();
}
