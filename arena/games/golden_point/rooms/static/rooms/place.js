/** A player's place in words: "You are 12th of 60, 24 points". */
import { setText } from "#site/dom.js";
import { ordinal, pointsText } from "#site/format.js";

/** @param {{rank: number, players: number, score: number} | null} place */
export function placeText(place) {
  if (place === null) return "";
  const values = { rank: ordinal(place.rank), players: place.players, points: pointsText(place.score) };
  return interpolate(gettext("You are %(rank)s of %(players)s, %(points)s"), values, true);
}

/**
 * @param {import("./model.js").RoomModel} model
 * @param {number | null} player the reader; null: unknown
 */
export function drawPlace(model, player) {
  const text = player === null ? "" : placeText(model.placeOf(player));
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-own-place]"))) {
    line.hidden = text === "";
    setText(line, text);
  }
}
