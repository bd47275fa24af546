/** What a person may do in their game, from the match as the page knows it. No document, no network. */

/**
 * @param {import("../matches/match-model.js").MatchModel} model
 * @param {string} color the person's
 * @returns {"waiting" | "mine" | "theirs" | "over"} what the game waits for
 */
export function phase(model, color) {
  if (!model.isOpen) return "over";
  const view = model.turns[model.last]?.view;
  if (model.match.status !== "running" || !view) return "waiting";
  return view.to_move === color ? "mine" : "theirs";
}

/**
 * @param {import("../matches/match-model.js").MatchModel} model
 * @returns {{turn: number, legal: string[]}} the number of the next turn and the moves that it permits
 */
export function choice(model) {
  return { turn: model.last + 1, legal: model.turns[model.last]?.view.legal ?? [] };
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
   * @param {import("../matches/match-model.js").MatchModel} model
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
