/** The fallback view for games without their own: the view of a turn as JSON, and moves as they were answered. */
import { moveFaultLabel } from "../live/labels.js";
import { setText } from "../site/dom.js";
import { points } from "../site/format.js";
import { pairResult, tableResult } from "./results.js";

/** @typedef {import("./match-model.js").MatchModel} MatchModel */

/** Milliseconds per turn in a replay at normal speed. */
export const TURN_MS = 900;

/**
 * @param {import("./game-view.js").Parts} parts
 * @param {MatchModel} model
 * @returns {import("./game-view.js").GameView}
 */
export function mount(parts, model) {
  return {
    show(index) {
      const turn = model.turns[index];
      if (turn) setText(parts.display.querySelector("pre"), JSON.stringify(turn.view, null, 2));
      for (const { index: seat } of model.seats) {
        if (model.outcome) setText(parts.side?.querySelector(`[data-points="${seat}"]`) ?? null, points(model.outcome.points[seat]));
      }
    },
    restart() {},
    sentence: (index) => sentence(model, index),
    result() {
      if (model.outcome && model.seats.length === 2) return pairResult(model, model.outcome.points.map(points));
      return tableResult(model);
    },
  };
}

/** @param {MatchModel} model @param {number} index */
function sentence(model, index) {
  return (model.turns[index]?.moves ?? [])
    .map((played) => {
      const { move } = played;
      const seat = model.seats[played.seat];
      const values = { name: seat.name, move: typeof move === "string" ? move : JSON.stringify(move) };
      const why = moveFaultLabel(seat, played);
      if (why) return interpolate(gettext("%(name)s: %(why)s."), { ...values, why }, true);
      return interpolate(gettext("%(name)s plays %(move)s."), values, true);
    })
    .join(" ");
}
