/**
 * Which moves the table under a match lists.
 *
 * Invariants: of two seats all moves, newest first; of a larger table those of the shown turn in the order of the
 * seats, or, where one seat is chosen, its moves of all turns, newest first. As arena/matches/templatetags/moves.py does.
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
  const asked = isByTurn(seats, seat) ? turns.slice(Math.max(0, index), Math.max(0, index) + 1) : [...turns].reverse();
  return linesOf(asked, seat);
}

/** @param {unknown[]} seats @param {number | null} seat the chosen one @returns {boolean} whether the moves are those of one turn */
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
 * A page of a long match: the moves of as many turns as there are lines on other pages, newest first.
 * @param {(import("./match-model.js").Turn | undefined)[]} turns
 * @param {number | null} seat
 * @param {number} wanted as of `pageOf`
 * @returns {{lines: MoveLine[], page: number, pages: number, first: number, last: number}} `first` and `last`: the turns that have to be there
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
 * @param {number} wanted a page from 1; one that does not exist gives way to the nearest
 * @returns {{lines: T[], page: number, pages: number}}
 */
export function pageOf(lines, wanted) {
  const pages = Math.max(1, Math.ceil(lines.length / PER_PAGE));
  const page = Math.min(Math.max(1, wanted), pages);
  return { lines: lines.slice((page - 1) * PER_PAGE, page * PER_PAGE), page, pages };
}
