/** The actions open to a person in their game, according to the page's model of the match. No DOM, no network. */

/** @typedef {import("../matches/match-model.js").MatchModel} MatchModel */
/** @typedef {import("../matches/game-view.js").Move} Move */
/** @typedef {"waiting" | "mine" | "theirs" | "over"} Phase the person's or another seat's turn, or neither */
/** @typedef {{turn: number, move: Move}} Sent */

/**
 * @param {MatchModel} model
 * @param {(view: any, turn: number) => Move[] | null} legalMoves the person's legal moves in a view, null if it is not
 * their turn
 * @param {number} [stored] the number of turns played before; while a worker replays them, nobody can move
 * @returns {{phase: Phase, turn: number, legal: Move[]}} the phase, the number of the next turn and the person's legal
 * moves
 */
export function turnState(model, legalMoves, stored = 0) {
  const view = model.turns[model.last]?.view;
  const turn = model.last + 1;
  if (!model.isOpen) return { phase: "over", turn, legal: [] };
  if (model.match.status !== "running" || !view || turn <= stored) return { phase: "waiting", turn, legal: [] };
  const legal = legalMoves(view, turn);
  return { phase: legal ? "mine" : "theirs", turn, legal: legal ?? [] };
}

/** @param {MatchModel} model @param {number} seat the person's @returns {boolean} whether there is a move to take back */
export function hasMoved(model, seat) {
  return model.turns.some((turn) => turn.moves.some((played) => played.seat === seat && played.move !== null));
}

/**
 * @param {string} text the value of a button or field
 * @returns {Move} the move that it stands for, parsed as by the server
 */
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

/** @param {Move} one @param {Move} other @returns {boolean} whether both are equal as JSON */
export function isSame(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, place) => isSame(item, other[place]));
}

/**
 * An outbox that holds a person's move until the match shows it.
 *
 * Invariants: at most one move is pending; it ends when its turn has been played, wherever that was reported.
 */
export class Outbox {
  constructor() {
    /** @type {Sent | null} */
    this.pending = null;
  }

  /** @param {number} turn @param {Move} move @returns {boolean} whether to send it; false for a second click */
  put(turn, move) {
    if (this.pending !== null && this.pending.turn >= turn) return false;
    this.pending = { turn, move };
    return true;
  }

  /** @param {number} turn the refused one: another move may be tried */
  refused(turn) {
    if (this.pending?.turn === turn) this.pending = null;
  }

  /** @param {number} turn @param {Move} move as parsed by the server, and as the match will show it */
  accepted(turn, move) {
    if (this.pending?.turn === turn) this.pending = { turn, move };
  }

  /**
   * Drop the pending move if the match has moved on.
   * @param {MatchModel} model
   * @param {number} seat the person's
   * @returns {Sent | null} the pending move, if it did not count
   */
  arrived(model, seat) {
    const sent = this.pending;
    if (sent === null || (model.isOpen && sent.turn > model.last)) return null;
    this.pending = null;
    const played = model.turns[sent.turn]?.moves.find((one) => one.seat === seat);
    return played && !played.fault && isSame(played.move, sent.move) ? null : sent;
  }
}
