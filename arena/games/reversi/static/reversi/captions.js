/** Captions for a running match: who leads and, near the end, the exact result of best play and the costliest move. */
import { captionText } from "#matches/captions.js";
import { MAX_EMPTY } from "./endgame.js";

/** @typedef {import("#matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("#matches/captions.js").Fact} Fact */
/** @typedef {import("./board.js").ReversiView} View */
/** @typedef {import("./endgame.js").Solution} Solution */
/** @typedef {(board: string, side: "X" | "O") => Promise<Solution>} Solver */

const COLORS = /** @type {const} */ (["X", "O"]);
const CORNERS = [0, 7, 56, 63];

/** @type {Worker | undefined} all matches on a page share one worker */
let worker;
let asked = 0;

/**
 * @param {string} address of endgame-worker.js
 * @returns {Solver} solves positions in a worker, which starts with the first position
 */
export function workerSolver(address) {
  return (board, side) => {
    const solving = (worker ??= new Worker(address, { type: "module" }));
    const id = (asked += 1);
    return new Promise((resolve) => {
      solving.addEventListener("message", function answered({ data }) {
        if (data.id !== id) return;
        solving.removeEventListener("message", answered);
        resolve(data.solution);
      });
      solving.postMessage({ id, board, side });
    });
  };
}

/** @param {View} view @returns {number} */
const emptySquares = (view) => 64 - view.counts.X - view.counts.O;

/** @param {Record<string, any>} values @returns {Record<string, string>} the sentences by code */
function texts({ lead, margin, loss }) {
  return {
    lead: ngettext("%(name)s leads by %(lead)s disc with %(empty)s squares empty.", "%(name)s leads by %(lead)s discs with %(empty)s squares empty.", lead),
    even: gettext("Even: %(discs)s discs each, with %(empty)s squares empty."),
    corners: gettext("Corners: %(more)s to %(fewer)s for %(name)s."),
    exact_win: ngettext("Exact analysis: with best play, %(name)s wins by %(margin)s disc.", "Exact analysis: with best play, %(name)s wins by %(margin)s discs.", margin),
    exact_draw: gettext("Exact analysis: with best play, the match is a draw."),
    costliest: ngettext(
      "Costliest move of the endgame: %(move)s by %(name)s gave up %(loss)s disc; %(best)s was better.",
      "Costliest move of the endgame: %(move)s by %(name)s gave up %(loss)s discs; %(best)s was better.",
      loss,
    ),
  };
}

export class Captions {
  /** @type {Map<string, Solution | null>} by position; null: not solved yet */
  #solutions = new Map();

  /** @param {MatchModel} model @param {Solver} solver */
  constructor(model, solver) {
    this.model = model;
    this.solver = solver;
  }

  /**
   * @param {number} index
   * @param {() => void} changed called when the caption has become more exact
   * @returns {string}
   */
  at(index, changed) {
    return captionText(this.facts(index, changed), texts);
  }

  /** @param {number} index @param {() => void} changed @returns {Fact[]} what to say after this turn */
  facts(index, changed) {
    const view = /** @type {View | undefined} */ (this.model.turns[index]?.view);
    if (!view) return [];
    this.#request(index, changed);
    const isOver = this.model.outcome !== null && index === this.model.last;
    const exact = this.#margin(view);
    const position = exact === null ? [this.#lead(view), this.#corners(view)] : [this.#exact(exact)];
    return [...(isOver ? [] : position), this.#costliest(index)].filter((fact) => fact !== null);
  }

  /** Ask for the exact values of the positions up to this turn. @param {number} index @param {() => void} changed */
  #request(index, changed) {
    for (let at = index; at >= 0; at -= 1) {
      const view = /** @type {View | undefined} */ (this.model.turns[at]?.view);
      if (!view || emptySquares(view) > MAX_EMPTY) return;
      const key = view.board + view.to_move;
      if (!view.to_move || this.#solutions.has(key)) continue;
      this.#solutions.set(key, null);
      this.solver(view.board, view.to_move).then((solution) => {
        this.#solutions.set(key, solution);
        changed();
      });
    }
  }

  /** @param {View} view @returns {number | null} black's final margin with best play by both; null: unknown */
  #margin(view) {
    if (!view.to_move) {
      const margin = view.counts.X - view.counts.O;
      return margin + Math.sign(margin) * emptySquares(view);
    }
    const found = this.#solutions.get(view.board + view.to_move);
    return found ? (view.to_move === "X" ? found.value : -found.value) : null;
  }

  /** @param {View} view @returns {Fact | null} */
  #lead(view) {
    const lead = view.counts.X - view.counts.O;
    const empty = emptySquares(view);
    if (empty < 2) return null; // its exact value comes at once
    if (lead === 0) return { code: "even", values: { discs: view.counts.X, empty } };
    return { code: "lead", values: { name: this.#name(lead > 0 ? 0 : 1), lead: Math.abs(lead), empty } };
  }

  /** Return a fact about the corners, which matter more than discs until the end. @param {View} view @returns {Fact | null} */
  #corners(view) {
    const [black, white] = COLORS.map((color) => CORNERS.filter((at) => view.board[at] === color).length);
    if (black === white) return null;
    const name = this.#name(black > white ? 0 : 1);
    return { code: "corners", values: { name, more: Math.max(black, white), fewer: Math.min(black, white) } };
  }

  /** @param {number} margin black's @returns {Fact} */
  #exact(margin) {
    if (margin === 0) return { code: "exact_draw", values: {} };
    return { code: "exact_win", values: { name: this.#name(margin > 0 ? 0 : 1), margin: Math.abs(margin) } };
  }

  /** @param {number} index @returns {Fact | null} the move up to this turn that lost the most discs, among solved positions */
  #costliest(index) {
    let most = { loss: 0, at: 0 };
    for (let at = index; at > 0; at -= 1) {
      const [before, after] = [this.model.turns[at - 1], this.model.turns[at]];
      if (!before || emptySquares(before.view) > MAX_EMPTY) break;
      const [best, reached] = [this.#margin(before.view), this.#margin(after.view)];
      const played = after.moves[0];
      if (best === null || reached === null || !played || played.fault || played.move === "Q") continue;
      const loss = played.seat === 0 ? best - reached : reached - best;
      if (loss > most.loss) most = { loss, at };
    }
    if (most.loss === 0) return null;
    const [{ seat, move }] = this.model.turns[most.at].moves;
    const { board, to_move: side } = this.model.turns[most.at - 1].view;
    const best = this.#solutions.get(board + side)?.best ?? "";
    return { code: "costliest", values: { name: this.#name(seat), move, loss: most.loss, best } };
  }

  /** @param {number} seat */
  #name(seat) {
    return this.model.seats[seat].name;
  }
}
