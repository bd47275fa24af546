/** The 2584 board: the slide logic, which needs no DOM, and the view that draws a board. */
import { element } from "#site/dom.js";
import { nameList } from "#site/format.js";

const VALUES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];
const COLUMNS = 3;
// The board's lines by direction, each starting at the edge that tiles slide to.
const LINES = [
  [[0, 3], [1, 4], [2, 5]],
  [[2, 1, 0], [5, 4, 3]],
  [[3, 0], [4, 1], [5, 2]],
  [[0, 1, 2], [3, 4, 5]],
];
const SLIDE_MS = 160;
const DROP_MS = 140;

/** @param {string} board six hexadecimal digits @returns {number[]} the tile index of each cell */
export function tilesOf(board) {
  return [...board].map((digit) => parseInt(digit, 16));
}

/** @param {number} index @returns {string} */
export function tileValue(index) {
  return index ? String(VALUES[index]) : "";
}

/** @param {number} one @param {number} other @returns {boolean} */
function merges(one, other) {
  return (one === 1 && other === 1) || Math.abs(one - other) === 1;
}

/**
 * @param {number[]} tiles
 * @param {number} direction 0 up, 1 right, 2 down, 3 left
 * @returns {{tiles: number[], sources: number[][], reward: number}} the resulting board, the cells that each of its
 * tiles came from, and the reward
 */
export function slide(tiles, direction) {
  const slid = tiles.map(() => 0);
  /** @type {number[][]} */
  const sources = tiles.map(() => []);
  let reward = 0;
  for (const line of LINES[direction]) {
    let at = -1;
    for (const cell of line) {
      const tile = tiles[cell];
      if (!tile) continue;
      const target = line[at];
      if (at >= 0 && sources[target].length === 1 && merges(slid[target], tile)) {
        slid[target] = Math.max(slid[target], tile) + 1;
        reward += VALUES[slid[target]] ?? 0;
        sources[target].push(cell);
      } else {
        at += 1;
        slid[line[at]] = tile;
        sources[line[at]].push(cell);
      }
    }
  }
  return { tiles: slid, sources, reward };
}

/** @param {number[]} tiles @returns {number[]} the directions that change the board */
export function legalDirections(tiles) {
  return [0, 1, 2, 3].filter((direction) => slide(tiles, direction).tiles.some((tile, cell) => tile !== tiles[cell]));
}

/** @param {number} direction @returns {string} */
export function directionName(direction) {
  return [pgettext("direction", "up"), pgettext("direction", "right"), pgettext("direction", "down"), pgettext("direction", "left")][direction] ?? "";
}

/** @param {number} direction @returns {string} */
export const arrow = (direction) => "↑→↓←"[direction] ?? "";

/** @param {number[]} tiles @returns {string} the board in words */
export function describe(tiles) {
  const named = tiles.map((tile) => tileValue(tile) || gettext("empty"));
  const values = { upper: nameList(named.slice(0, COLUMNS)), lower: nameList(named.slice(COLUMNS)) };
  return interpolate(gettext("Upper row: %(upper)s. Lower row: %(lower)s."), values, true);
}

export class TilesBoard {
  /** @param {HTMLElement} root arena/games/fib2584/templates/fib2584/board.html */
  constructor(root) {
    this.root = root;
    this.cells = /** @type {HTMLElement[]} */ ([...root.children]);
    this.shown = root.dataset.tiles ?? "";
  }

  /**
   * @param {string} board
   * @param {{board: string, direction: number} | null} move the move to animate, with the board before it; null: no
   * animation
   */
  draw(board, move = null) {
    if (board === this.shown && !move) return;
    const tiles = tilesOf(board);
    this.cells.forEach((cell, at) => cell.replaceChildren(...(tiles[at] ? [tileElement(tiles[at])] : [])));
    this.root.dataset.tiles = this.shown = board;
    this.root.setAttribute("aria-label", describe(tiles));
    if (move) this.#animate(tilesOf(move.board), tiles, move.direction);
  }

  /** @param {number | null} direction the hint; null: clear it */
  hint(direction) {
    if (direction === null) delete this.root.dataset.hint;
    else this.root.dataset.hint = arrow(direction);
  }

  /** @param {number[]} before @param {number[]} after @param {number} direction */
  #animate(before, after, direction) {
    const { tiles, sources } = slide(before, direction);
    this.cells.forEach((cell, at) => {
      const tile = /** @type {HTMLElement | null} */ (cell.firstElementChild);
      if (!tile) return;
      if (!tiles[at] && after[at]) {
        tile.animate([{ transform: "scale(0)" }, { transform: "none" }], { duration: DROP_MS, delay: SLIDE_MS, fill: "backwards" });
      } else if (sources[at].length === 2) {
        tile.animate([{ transform: "scale(0.4)" }, { transform: "scale(1.12)" }, { transform: "none" }], { duration: DROP_MS, delay: SLIDE_MS, fill: "backwards" });
        for (const from of sources[at]) this.#ghost(cell, before[from], from, at);
      } else if (sources[at].length === 1 && sources[at][0] !== at) {
        tile.animate([{ transform: shift(sources[at][0], at) }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
      }
    });
  }

  /**
   * Animate a merging tile, which is removed on arrival.
   * @param {HTMLElement} cell
   * @param {number} index
   * @param {number} from
   * @param {number} to
   */
  #ghost(cell, index, from, to) {
    const ghost = tileElement(index);
    ghost.classList.add("is-ghost");
    cell.append(ghost);
    const motion = ghost.animate([{ transform: shift(from, to) }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
    motion.onfinish = motion.oncancel = () => ghost.remove();
  }
}

/** @param {number} index */
function tileElement(index) {
  return element("span", { class: "tile", "data-tile": index }, tileValue(index));
}

/** @param {number} from @param {number} to @returns {string} a CSS transform back to `from` */
function shift(from, to) {
  const columns = (from % COLUMNS) - (to % COLUMNS);
  const rows = Math.floor(from / COLUMNS) - Math.floor(to / COLUMNS);
  return `translate(${columns * 108}%, ${rows * 108}%)`;
}
