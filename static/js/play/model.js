/** What a person may do in their game, from the match as the page knows it. No document, no network. */

/** @typedef {import("../matches/match-model.js").MatchModel} MatchModel */
/** @typedef {"waiting" | "mine" | "theirs" | "over"} Phase what the game waits for */

/**
 * @param {MatchModel} model
 * @param {(view: any) => string[]} legalMoves of the person in a view; none where they are not asked
 * @returns {{phase: Phase, turn: number, legal: string[]}} the number of the next turn and the moves that they may make
 */
export function choice(model, legalMoves) {
  const view = model.turns[model.last]?.view;
  const turn = model.last + 1;
  if (!model.isOpen) return { phase: "over", turn, legal: [] };
  if (model.match.status !== "running" || !view) return { phase: "waiting", turn, legal: [] };
  const legal = legalMoves(view);
  return { phase: legal.length > 0 ? "mine" : "theirs", turn, legal };
}

/**
 * What a person played, until the match shows it.
 *
 * Invariants: one move is under way at a time; a turn that was played ends it, whoever told of it.
 */
export class Outbox {
  constructor() {
    /** @type {{turn: number, move: string} | null} */
    this.pending = null;
  }

  /** @param {number} turn @param {string} move @returns {boolean} whether it is to be sent; a second click is not */
  put(turn, move) {
    if (this.pending !== null && this.pending.turn >= turn) return false;
    this.pending = { turn, move };
    return true;
  }

  /** @param {number} turn that was refused: another move may be tried */
  refused(turn) {
    if (this.pending?.turn === turn) this.pending = null;
  }

  /**
   * The match goes on.
   * @param {MatchModel} model
   * @param {number} seat the person's
   * @returns {{turn: number, move: string} | null} a move that was under way and did not count
   */
  arrived(model, seat) {
    const sent = this.pending;
    if (sent === null || (model.isOpen && sent.turn > model.last)) return null;
    this.pending = null;
    const played = model.turns[sent.turn]?.moves.find((one) => one.seat === seat);
    return played?.move === sent.move ? null : sent;
  }
}
