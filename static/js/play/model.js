/** What a person may do in their game, from the match as the page knows it. No document, no network. */

/** @typedef {import("../matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("../matches/game-view.js").Move} Move */
/** @typedef {"waiting" | "mine" | "theirs" | "over"} Phase what the game waits for */
/** @typedef {{turn: number, move: Move}} Sent */

/**
 * @param {MatchModel} model
 * @param {(view: any, turn: number) => Move[] | null} legalMoves of the person in a view, null where they are not asked
 * @returns {{phase: Phase, turn: number, legal: Move[]}} the number of the next turn and the moves that they may make
 */
export function choice(model, legalMoves) {
  const view = model.turns[model.last]?.view;
  const turn = model.last + 1;
  if (!model.isOpen) return { phase: "over", turn, legal: [] };
  if (model.match.status !== "running" || !view) return { phase: "waiting", turn, legal: [] };
  const legal = legalMoves(view, turn);
  return { phase: legal ? "mine" : "theirs", turn, legal: legal ?? [] };
}

/** @param {string} text of a button or a field @returns {Move} the answer that it stands for, as the server reads it */
export function readMove(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

/** @param {Move} move @returns {string} */
export function plainLabel(move) {
  return typeof move === "string" ? move : JSON.stringify(move);
}

/** @param {Move} one @param {Move} other @returns {boolean} whether both are the same JSON */
export function isSame(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, place) => isSame(item, other[place]));
}

/**
 * What a person played, until the match shows it.
 *
 * Invariants: one move is under way at a time; a turn that was played ends it, whoever told of it.
 */
export class Outbox {
  constructor() {
    /** @type {Sent | null} */
    this.pending = null;
  }

  /** @param {number} turn @param {Move} move @returns {boolean} whether it is to be sent; a second click is not */
  put(turn, move) {
    if (this.pending !== null && this.pending.turn >= turn) return false;
    this.pending = { turn, move };
    return true;
  }

  /** @param {number} turn that was refused: another move may be tried */
  refused(turn) {
    if (this.pending?.turn === turn) this.pending = null;
  }

  /** @param {number} turn @param {Move} move as the server read it, and as the match will show it */
  accepted(turn, move) {
    if (this.pending?.turn === turn) this.pending = { turn, move };
  }

  /**
   * The match goes on.
   * @param {MatchModel} model
   * @param {number} seat the person's
   * @returns {Sent | null} a move that was under way and did not count
   */
  arrived(model, seat) {
    const sent = this.pending;
    if (sent === null || (model.isOpen && sent.turn > model.last)) return null;
    this.pending = null;
    const played = model.turns[sent.turn]?.moves.find((one) => one.seat === seat);
    return played && !played.fault && isSame(played.move, sent.move) ? null : sent;
  }
}
