/**
 * The page's model of a match: a snapshot, and the numbered events that follow it.
 *
 * Invariants: `turns[n].number === n`; applying an event twice changes nothing; a new attempt at the match starts
 * without turns. In a long match, some of `turns` are missing until they are requested; the newest is always present.
 */
import { TurnPages } from "./turn-pages.js";

/** @typedef {{seat: number, move: any, seconds: number, cpu: number, wall: number, refused: number, fault: string | null}} Played */
/** @typedef {{number: number, moves: Played[], view: any}} Turn */
/** @typedef {{index: number, name: string, owner: string, bot_url: string, version: number | null, clock: number | null, points: number | null, rank: number | null, fault: string | null, color: string | null}} Seat */
/** @typedef {{points: number[], ranks: number[], termination: string, winner: number | null}} Outcome */
/** @typedef {{id: number, game: string, status: string, settings: any, url: string}} Match */
/** @typedef {{seat: number, is: "person" | "bot"}} Reader the only seat of the reader, or of the reader's bot */
/** @typedef {{seq: number, match: Match, seats: Seat[], turns: Turn[], outcome: Outcome | null, since?: number, reader?: Reader | null, first?: number, spent?: number[], overview?: any, pages?: number[], turns_url?: string, of?: string}} Snapshot `first`: the number of the first element of `turns`; `first` to `turns_url` and `of` exist only in long matches; `since`: seconds for which the side to move has been asked; `reader`: only in the snapshot that the page contains */

/**
 * @param {Seat[]} seats
 * @param {Seat[]} [known] the seats so far: the names in the page are in the reader's language, while events are the
 * same for everyone
 * @returns {Seat[]} the seats, with a name for guests, who have none
 */
function named(seats, known = []) {
  return seats.map((seat) => {
    const isSame = (/** @type {Seat} */ one) => one.bot_url === seat.bot_url;
    // Players change seats in a studio run of several matches, where only the draft has no version and may have no page.
    const isKnown = (/** @type {Seat} */ one) => isSame(one) && (one.bot_url !== "" || one.version === null);
    const same = known.find((one) => one.index === seat.index && isSame(one)) ?? known.find(isKnown);
    const name = same?.name ?? seat.name;
    return { ...seat, name: name === "" ? gettext("Guest") : name };
  });
}

export class MatchModel {
  /** @type {Turn[]} with holes in long matches */
  turns = [];

  /** @type {TurnPages | null} fetches the missing turns of a long match; null if all are loaded */
  pages = null;

  /** @type {any} the data that the game's view needs from all turns of a long match; null if all turns are loaded */
  overview = null;

  /** The callback for the arrival of requested turns, set by the page that shows the match. */
  onTurns = () => {};

  /** @type {Match} */
  match;

  /** @type {Seat[]} */
  seats = [];

  seq = 0;

  /** @param {Snapshot} snapshot */
  constructor(snapshot) {
    this.match = snapshot.match;
    this.reset(snapshot);
  }

  /** @param {Snapshot} snapshot */
  reset(snapshot) {
    this.match = snapshot.match;
    this.seats = named(snapshot.seats);
    const { first = 0, turns } = snapshot;
    this.turns = first ? new Array(first).concat(turns) : turns;
    this.overview = snapshot.overview ?? null;
    this.pages = snapshot.turns_url ? new TurnPages(snapshot, (page) => this.#addPage(page)) : null;
    this.since = snapshot.since ?? 0;
    /** @type {Reader | null} kept from the page's own snapshot: later ones are the same for all readers */
    this.reader = snapshot.reader ?? this.reader ?? null;
    this.outcome = snapshot.outcome;
    this.seq = snapshot.seq;
  }

  /**
   * Request the missing turns in this range of indices; `onTurns` is called when some have arrived.
   * @param {number} first
   * @param {number} [last]
   */
  want(first, last = first) {
    for (let index = Math.max(0, first); index <= Math.min(last, this.last); index += 1) {
      if (!this.turns[index]) this.pages?.ask(index);
    }
  }

  /** @param {import("./turn-pages.js").TurnPage} page */
  #addPage({ turns }) {
    for (const turn of turns) if (turn.number <= this.last) this.turns[turn.number] ??= turn;
    this.onTurns();
  }

  /**
   * @param {number} seat
   * @param {number} index
   * @returns {number} the seconds that the seat's moves took up to this turn, as far as the page knows them
   */
  used(seat, index) {
    let seconds = 0;
    for (let at = Math.min(index, this.last); at >= 0; at -= 1) {
      for (const played of this.turns[at]?.moves ?? []) if (played.seat === seat) seconds += played.seconds;
      const before = this.pages?.spent.get(at);
      if (before) return seconds + (before[seat] ?? 0);
    }
    return seconds;
  }

  /** Return the index of the newest turn; -1 before the first view. */
  get last() {
    return this.turns.length - 1;
  }

  /** Return whether more turns may come. */
  get isOpen() {
    return ["planned", "queued", "running"].includes(this.match.status);
  }

  /**
   * @param {any} event
   * @returns {"turn" | "restart" | "end" | "status" | null} what changed
   */
  apply(event) {
    this.seq = event.seq ?? this.seq;
    switch (event.type) {
      case "started":
        this.match = event.match;
        this.seats = named(event.seats, this.seats);
        this.reader = event.reader ?? this.reader;
        this.turns = [];
        this.pages = this.overview = null;
        this.outcome = null;
        return "restart";
      case "turn":
        if (event.turn.number !== this.turns.length) return null;
        this.turns.push(event.turn);
        return "turn";
      case "finished":
        this.match = { ...this.match, status: "finished" };
        this.seats = named(event.seats, this.seats);
        this.outcome = event.outcome;
        return "end";
      case "requeued":
        this.match = { ...this.match, status: "queued" };
        return "status";
      case "void":
      case "cancelled":
        this.match = { ...this.match, status: event.type };
        return "status";
      default:
        return null;
    }
  }
}
