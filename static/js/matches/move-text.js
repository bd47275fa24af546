import { playedNumbers } from "../site/format.js";

/** @param {any} move @param {import("./game-view.js").GameModule["moveLabel"]} label @returns {string} a move as readers know it */
export function moveText(move, label) {
  if (move === null) return "–";
  if (label) return label(move);
  return Array.isArray(move) ? playedNumbers(move) : String(move);
}
