/** The view of a Lanterns match: the sky, a candle for each seat, and the result of the previous night. */
import { faultLabel } from "#live/labels.js";
import { part, setText } from "#site/dom.js";
import { points } from "#site/format.js";
import { pairResult, tableResult } from "#matches/results.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {{lantern: number, wind: number, candles: (number | null)[], taker: number | null}} Night */
/** @typedef {{night: number, nights: number, lantern: number | null, laid: (number | true | null)[], hands: number[][], scores: number[], previous: Night | null, to_move: number | null}} View */

/** Milliseconds per turn in a replay at normal speed. */
export const TURN_MS = 900;

/**
 * @param {import("#matches/game-view.js").Parts} parts
 * @param {MatchModel} model
 * @returns {import("#matches/game-view.js").GameView}
 */
export function mount({ display, side }, model) {
  return {
    show(index) {
      const view = model.turns[index]?.view;
      if (!view) return;
      drawSky(display, view);
      if (side) drawSide(side, view);
    },
    restart() {},
    sentence: (index) => sentence(model, index),
    result() {
      if (model.outcome && model.seats.length === 2) return pairResult(model, model.outcome.points.map(points));
      return tableResult(model);
    },
  };
}

/** @param {View} view @returns {number[]} */
export function seatsToMove(view) {
  return view.to_move === null ? [] : [view.to_move];
}

/** @param {View} view @param {number} seat @returns {number[]} */
export function legalMoves(view, seat) {
  return view.to_move === seat ? view.hands[seat] : [];
}

/** @param {HTMLElement} display @param {View} view */
function drawSky(display, view) {
  setText(part(display, "night"), interpolate(gettext("Night %(night)s of %(nights)s"), { night: view.night, nights: view.nights }, true));
  const light = part(display, "lantern");
  setText(light, String(view.lantern ?? ""));
  light?.classList.toggle("is-dark", view.lantern === null);
  view.laid.forEach((candle, seat) => {
    const row = display.querySelector(`[data-seat="${seat}"]`);
    if (!row) return;
    setText(part(row, "candle"), candle === true ? "?" : String(candle ?? "–"));
    setText(part(row, "before"), view.previous ? String(view.previous.candles[seat] ?? "–") : "");
  });
  setText(part(display, "previous"), view.previous ? nightSentence(view.previous) : "");
}

/** @param {HTMLElement} side @param {View} view */
function drawSide(side, view) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (side.querySelectorAll("[data-seat]"))) {
    const seat = Number(row.dataset.seat);
    setText(part(row, "score"), String(view.scores[seat]));
    setText(part(row, "hand"), view.hands[seat].join(" "));
    row.classList.toggle("is-to-move", view.to_move === seat);
  }
}

/** @param {Night} night */
function nightSentence({ lantern, wind }) {
  return interpolate(gettext("The night before: lantern %(light)s, wind %(wind)s"), { light: lantern, wind }, true);
}

/** @param {MatchModel} model @param {number} index */
function sentence(model, index) {
  const turn = model.turns[index];
  const sentences = (turn?.moves ?? []).map(({ seat, move, fault }) => {
    const values = { name: model.seats[seat].name, candle: move };
    if (fault) return interpolate(gettext("%(name)s: %(why)s."), { ...values, why: faultLabel(fault) }, true);
    if (move === null) return interpolate(gettext("%(name)s lays a candle face down."), values, true);
    return interpolate(gettext("%(name)s lays candle %(candle)s."), values, true);
  });
  if (turn?.moves.length && turn.view.laid.every((/** @type {unknown} */ candle) => candle === null) && turn.view.previous) {
    sentences.push(nightSentence(turn.view.previous));
  }
  return sentences.join(" ");
}
