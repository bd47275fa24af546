/**
 * Keyboard navigation for a board whose squares are buttons (roving tabindex): a single tab stop, and arrow keys to
 * move between squares. Without this script, each square is a tab stop.
 */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };

/**
 * Return the square that an arrow key leads to, never off the board.
 * @param {number} from 0 for A1 to 63
 * @param {string} key
 */
export function nextSquare(from, key) {
  const to = from + STEPS[key];
  const leavesRow = Math.abs(STEPS[key]) === 1 && Math.floor(to / 8) !== Math.floor(from / 8);
  return to < 0 || to > 63 || leavesRow ? from : to;
}

/** @param {HTMLElement} board @param {string | null} start the square that is the tab stop */
export function useArrows(board, start = null) {
  const squares = /** @type {HTMLButtonElement[]} */ ([...board.querySelectorAll("button[data-square]")]);
  if (squares.length !== 64) return;
  let stop = Math.max(0, squares.findIndex((square) => square.dataset.square === start));
  squares.forEach((square, at) => (square.tabIndex = at === stop ? 0 : -1));
  const moveTo = (/** @type {number} */ to) => {
    squares[stop].tabIndex = -1;
    stop = to;
    squares[stop].tabIndex = 0;
  };
  board.addEventListener("focusin", (event) => {
    const at = squares.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at >= 0) moveTo(at);
  });
  board.addEventListener("keydown", (event) => {
    const at = squares.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at < 0 || !(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere on the page, arrow keys step through the moves
    squares[nextSquare(at, event.key)].focus();
  });
}
