/** Map turns to the games of a match: the last move of a game leads to the start of the next one. */

/** @typedef {import("#matches/match-model.js").Turn} Turn */
/** @typedef {import("./view.js").View} View */

/**
 * @param {Turn[]} turns with holes in long matches
 * @param {number} at
 * @returns {number | undefined} undefined if a turn is missing, or for the start
 */
export function gameOfMoves(turns, at) {
  const view = /** @type {View | undefined} */ (turns[at] && turns[at - 1]?.view);
  return view?.game;
}

/**
 * @param {Turn[]} turns with holes in long matches
 * @param {number} at
 * @param {number} seat
 * @returns {number} the seat's score after its move, in the game of that move
 */
export function scoreAfterMove(turns, at, seat) {
  const view = /** @type {View} */ (turns[at].view);
  const before = /** @type {View | undefined} */ (turns[at - 1]?.view);
  if (!before || before.game === view.game) return view.scores[seat];
  return before.scores[seat] + view.totals[seat] - before.totals[seat];
}

/**
 * @param {Turn[]} turns with holes in long matches
 * @param {number} index
 * @param {number} game
 * @returns {number[]} the turns up to this one whose moves were made in a game, newest first; none if some are missing
 */
export function turnsOfGame(turns, index, game) {
  const found = [];
  for (let at = index; at > 0; at -= 1) {
    const played = gameOfMoves(turns, at);
    if (played === undefined) return [];
    if (played < game) break;
    if (played === game) found.push(at);
  }
  return found;
}
