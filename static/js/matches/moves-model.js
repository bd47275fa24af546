/**
 * Select the moves for the table below a match.
 *
 * Invariants: with two seats, all moves, newest first; with more seats, the shown turn's moves in the order of the
 * seats or, if one seat is chosen, all its moves, newest first. This matches arena/matches/templatetags/moves.py.
 */

export const PER_PAGE = 50;

/** @typedef {{turn: number, played: import("./match-model.js").Played}} MoveLine */

/**
 * @param {{seats: unknown[], turns: import("./match-model.js").Turn[]}} match
 * @param {number | null} seat the chosen one
 * @param {number} index the shown turn
 * @returns {MoveLine[]}
 */
export function selectMoves({ seats, turns }, seat, index) {
  const listed = isByTurn(seats, seat) ? turns.slice(Math.max(0, index), Math.max(0, index) + 1) : [...turns].reverse();
  return linesOf(listed, seat);
}

/**
 * @param {unknown[]} seats
 * @param {number | null} seat the chosen one
 * @returns {boolean} whether only one turn's moves are listed
 */
export function isByTurn(seats, seat) {
  return seat === null && seats.length > 2;
}

/** @param {(import("./match-model.js").Turn | undefined)[]} turns @param {number | null} seat @returns {MoveLine[]} */
function linesOf(turns, seat) {
  return turns.flatMap((turn) =>
    (turn?.moves ?? []).filter((played) => seat === null || played.seat === seat).map((played) => ({ turn: turn?.number ?? 0, played })),
  );
}

/**
 * Return a page of a long match: the moves of `PER_PAGE` turns, newest first.
 * @param {(import("./match-model.js").Turn | undefined)[]} turns
 * @param {number | null} seat
 * @param {number} wanted as in `pageOf`
 * @returns {{lines: MoveLine[], page: number, pages: number, first: number, last: number}} `first` and `last`: the
 * range of turns that must be loaded
 */
export function pageOfTurns(turns, seat, wanted) {
  const pages = Math.max(1, Math.ceil(turns.length / PER_PAGE));
  const page = Math.min(Math.max(1, wanted), pages);
  const last = turns.length - 1 - (page - 1) * PER_PAGE;
  const first = Math.max(0, last - PER_PAGE + 1);
  return { lines: linesOf(turns.slice(first, last + 1).reverse(), seat), page, pages, first, last };
}

/**
 * @template T
 * @param {T[]} lines
 * @param {number} wanted a page number from 1; limited to the existing pages
 * @returns {{lines: T[], page: number, pages: number}}
 */
export function pageOf(lines, wanted) {
  const pages = Math.max(1, Math.ceil(lines.length / PER_PAGE));
  const page = Math.min(Math.max(1, wanted), pages);
  return { lines: lines.slice((page - 1) * PER_PAGE, page * PER_PAGE), page, pages };
}
