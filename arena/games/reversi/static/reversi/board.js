/**
 * A Reversi board: draws a position into the server-rendered squares and animates the discs that flip.
 *
 * Invariant: after `draw`, the squares show exactly the view, whatever was shown before.
 */

const COLUMNS = "ABCDEFGH";
const FLIP_STEP_MS = 55;

/**
 * @typedef {object} ReversiView
 * @property {string} board 64 characters X, O or . from A1 row by row
 * @property {"X" | "O" | null} to_move
 * @property {string[]} legal
 * @property {{X: number, O: number}} counts
 * @property {string | null} last
 * @property {string[]} flipped
 * @property {"X" | "O" | null} passed
 */

/** @param {string} name @returns {{column: number, row: number}} */
function place(name) {
  return { column: COLUMNS.indexOf(name[0]), row: Number(name[1]) - 1 };
}

/**
 * Return the distance between two squares in king's moves, because discs flip in waves from the move.
 * @param {string} from
 * @param {string} to
 */
function distance(from, to) {
  const a = place(from);
  const b = place(to);
  return Math.max(Math.abs(a.column - b.column), Math.abs(a.row - b.row));
}

/** @param {"X" | "O"} side @returns {string} */
export function sideName(side) {
  return side === "X" ? gettext("Black") : gettext("White");
}

/** @param {ReversiView} view @returns {string} the position in one sentence */
export function describeBoard(view) {
  const squares = (/** @type {string} */ side) =>
    [...view.board]
      .map((cell, index) => (cell === side ? `${COLUMNS[index % 8]}${Math.floor(index / 8) + 1}` : ""))
      .filter(Boolean)
      .join(" ");
  const sides = /** @type {const} */ (["X", "O"]).map((side) =>
    interpolate(
      view.counts[side] ? gettext("%(side)s: %(count)s discs on %(squares)s.") : gettext("%(side)s: no discs."),
      { side: sideName(side), count: view.counts[side], squares: squares(side) },
      true,
    ),
  );
  return interpolate(gettext("Reversi board. %(black)s %(white)s"), { black: sides[0], white: sides[1] }, true);
}

export class ReversiBoard {
  /** @param {HTMLElement} root the element of arena/games/reversi/templates/reversi/board.html */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, HTMLElement>} */
    this.squares = new Map();
    for (const square of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-square]"))) {
      this.squares.set(square.dataset.square ?? "", square);
    }
  }

  /**
   * @param {ReversiView} view
   * @param {{animate?: boolean, showLegal?: boolean}} [how]
   */
  draw(view, { animate = false, showLegal = true } = {}) {
    this.root.classList.toggle("is-still", !animate);
    const legal = new Set(showLegal ? view.legal : []);
    [...this.squares].forEach(([name, square]) => {
      const { column, row } = place(name);
      const cell = view.board[row * 8 + column];
      this.#drawDisc(square, cell, animate && view.last ? distance(view.last, name) * FLIP_STEP_MS : 0);
      square.classList.toggle("is-last", name === view.last);
      square.classList.toggle("is-legal", legal.has(name));
    });
    this.root.setAttribute("aria-label", describeBoard(view));
  }

  /**
   * Let a person play one of these squares by clicking it.
   * @param {string[]} moves empty: no move now
   * @param {(move: string) => void} play
   */
  offer(moves, play) {
    this.root.classList.toggle("is-playable", moves.length > 0);
    this.root.onclick = (event) => {
      const square = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-square]"));
      const move = square?.dataset.square ?? "";
      if (moves.includes(move)) play(move);
    };
  }

  /** @param {string | null} move the hinted square; null: none */
  hint(move) {
    for (const [name, square] of this.squares) square.classList.toggle("is-hint", name === move);
  }

  /** @param {HTMLElement} square @param {string} cell @param {number} delay milliseconds */
  #drawDisc(square, cell, delay) {
    const disc = /** @type {HTMLElement | null} */ (square.querySelector(".disc"));
    if (cell === ".") {
      disc?.remove();
    } else if (disc) {
      disc.classList.remove("is-new");
      disc.style.setProperty("--delay", `${delay}ms`);
      disc.dataset.side = cell;
    } else {
      const placed = document.createElement("span");
      placed.className = "disc is-new";
      placed.dataset.side = cell;
      square.append(placed);
    }
  }
}
