/**
 * Solve the end of a Reversi match exactly: alpha-beta search to the last square, most restrictive moves first.
 *
 * Values are final margins in discs; as in official results, empty squares count for the winner.
 */

/** The most empty squares for which a position is solved within about a second. */
export const MAX_EMPTY = 12;

const WIDTH = 10; // eight columns and a border on both sides
const STEPS = [-11, -10, -9, -1, 1, 9, 10, 11];
const BORDER = 3;
const SORTED_FROM = 5; // with fewer empty squares, sorting costs more than it saves
const MOST = 64;
const CORNERS = new Set([11, 18, 81, 88]);

/** @typedef {{value: number, best: string | null}} Solution `value`: the final margin of the side to move; `best`: its move */

/** @param {number} place @returns {string} */
const nameOf = (place) => `${"ABCDEFGH"[(place % WIDTH) - 1]}${Math.floor(place / WIDTH)}`;

/**
 * @param {string} board 64 characters X, O or . from A1 row by row
 * @param {"X" | "O"} side the side to move
 * @returns {Solution}
 */
export function solve(board, side) {
  const cells = new Int8Array(WIDTH * WIDTH).fill(BORDER);
  /** @type {number[]} */
  const empties = [];
  [...board].forEach((cell, index) => {
    const place = (Math.floor(index / 8) + 1) * WIDTH + (index % 8) + 1;
    cells[place] = cell === "." ? 0 : cell === side ? 1 : 2;
    if (cell === ".") empties.push(place);
  });
  empties.sort((one, other) => Number(CORNERS.has(other)) - Number(CORNERS.has(one)));
  return new Search(cells, empties).root();
}

class Search {
  /** @param {Int8Array} cells 0 empty, 1 and 2 the sides @param {number[]} empties in the order of search */
  constructor(cells, empties) {
    this.cells = cells;
    this.empties = empties;
    this.flipped = new Int8Array(64 * 20); // a stack of flipped discs
    this.top = 0;
  }

  /** @returns {Solution} for side 1 */
  root() {
    const moves = this.#moves(1);
    if (moves.length === 0) return { value: this.#search(1, -MOST, MOST, false), best: null };
    let value = -Infinity;
    let best = moves[0];
    for (const move of moves) {
      const found = -this.#after(move, 1, () => this.#search(2, -MOST, -Math.max(value, -MOST), false));
      if (found > value) [value, best] = [found, move];
    }
    return { value, best: nameOf(best) };
  }

  /**
   * @param {number} side @param {number} low @param {number} high
   * @param {boolean} hasPassed whether the other side has just passed
   * @returns {number} the final margin of `side`
   */
  #search(side, low, high, hasPassed) {
    let best = -Infinity;
    const moves = this.empties.length >= SORTED_FROM ? this.#moves(side) : this.empties.slice();
    for (const move of moves) {
      const count = this.#place(move, side);
      if (count === 0) continue;
      const found = -this.#search(3 - side, -high, -Math.max(low, best), false);
      this.#takeBack(move, side, count);
      if (found > best) best = found;
      if (best >= high) return best;
    }
    if (best > -Infinity) return best;
    return hasPassed ? this.#margin(side) : -this.#search(3 - side, -high, -low, true);
  }

  /** @param {number} side @returns {number[]} its moves, those that leave the opponent the fewest moves first */
  #moves(side) {
    /** @type {[number, number][]} */
    const found = [];
    for (const move of this.empties.slice()) {
      const count = this.#place(move, side);
      if (count === 0) continue;
      const replies = this.empties.filter((place) => this.#flips(place, 3 - side)).length;
      this.#takeBack(move, side, count);
      found.push([replies - (CORNERS.has(move) ? 2 : 0), move]);
    }
    return found.sort(([one], [other]) => one - other).map(([, move]) => move);
  }

  /** @param {number} move @param {number} side @param {() => number} search @returns {number} */
  #after(move, side, search) {
    const count = this.#place(move, side);
    const found = search();
    this.#takeBack(move, side, count);
    return found;
  }

  /** @param {number} place @param {number} side @returns {boolean} whether a move there flips a disc */
  #flips(place, side) {
    const { cells } = this;
    const other = 3 - side;
    for (const step of STEPS) {
      let at = place + step;
      if (cells[at] !== other) continue;
      while (cells[at] === other) at += step;
      if (cells[at] === side) return true;
    }
    return false;
  }

  /** @param {number} place @param {number} side @returns {number} how many discs were flipped; 0: the move is illegal */
  #place(place, side) {
    const { cells, flipped } = this;
    const other = 3 - side;
    const start = this.top;
    for (const step of STEPS) {
      let at = place + step;
      if (cells[at] !== other) continue;
      while (cells[at] === other) at += step;
      if (cells[at] !== side) continue;
      for (at -= step; at !== place; at -= step) {
        cells[at] = side;
        flipped[this.top++] = at;
      }
    }
    const count = this.top - start;
    if (count === 0) return 0;
    cells[place] = side;
    this.empties.splice(this.empties.indexOf(place), 1);
    return count;
  }

  /** @param {number} place @param {number} side @param {number} count */
  #takeBack(place, side, count) {
    const { cells, flipped } = this;
    for (let left = count; left > 0; left -= 1) cells[flipped[--this.top]] = 3 - side;
    cells[place] = 0;
    this.empties.push(place);
  }

  /** @param {number} side @returns {number} its margin at the end of the match */
  #margin(side) {
    let margin = 0;
    for (const cell of this.cells) if (cell === 1 || cell === 2) margin += cell === side ? 1 : -1;
    return margin + Math.sign(margin) * this.empties.length;
  }
}
