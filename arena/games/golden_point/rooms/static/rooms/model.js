/**
 * The page's model of a room: a snapshot, the earlier rounds that the reader has requested, and the numbered events.
 *
 * Invariants: `rounds[n].round === n`, and every round from `oldest` to `newest` is present; a player never changes
 * seats; applying a round twice changes nothing. A page that stays open for days drops its oldest rounds.
 */

/** @typedef {[player: number, gain: number, ...numbers: number[]]} Picked */
/** @typedef {{round: number, golden: number, day: string, picks: Picked[], nearest: number[], farthest: number[]}} ClosedRound */
/** @typedef {[seat: number, bot: number, name: string, fault: string]} DroppedBot a bot that was removed; `fault` is "" if the arena failed */
/** @typedef {[rank: number, name: string, points: number]} Place */
/** @typedef {{places: Place[], more: number, persons: Place[], more_persons: number, persons_tied: boolean, players: number}} Podium of a finished room; `more`: how many others share the last place; `persons`: the best people, who share a rank, if a bot won; `more_persons`: how many others share it; `persons_tied`: whether they or bots share it */
/**
 * @typedef {object} Room
 * @property {string} name
 * @property {string} state
 * @property {number} finished_rounds
 * @property {number} round
 * @property {string} round_id
 * @property {number | null} ends_at
 * @property {number | null} left_ms time left in the round while the room is paused
 * @property {number} seconds length of this round
 * @property {number} next_seconds length of the next round
 * @property {number} submitted
 * @property {number} players
 * @property {string[]} lobby names of people who have joined but not submitted yet
 * @property {number[]} removed players whom the owner removed
 * @property {Record<string, string>} [renamed] names that the owner set, by player
 * @property {Podium | null} podium
 * @property {DroppedBot[]} dropped
 * @property {Record<string, Record<string, string>>} [translations] of names of house bots, by language
 */
/** @typedef {{seq: number, at: number, room: Room, rounds: ClosedRound[], names: Record<string, string>, day: string, scores: [number, number][]}} Snapshot */
/** @typedef {{player: number, seat: number | undefined, name: string, score: number, gain: number, rank: number, moved: number | null, shared: number, isRemoved: boolean}} Standing `rank`: 0 of a removed player; `shared`: how many others have this rank */

const MAX_KEPT_PICKS = 300_000; // rounds × seats, played or not

const START = { round: 0, golden: null, numbers: [], nearest: [], farthest: [], scores: [], gains: [] };

/**
 * Return whether the owner has removed the reader: "ask" if only the server knows.
 * @param {Pick<Room, "removed" | "lobby">} room
 * @param {{player: number | null, lobbyName: string, isListed: boolean, removals: number}} reader the state after the
 * previous event; `isListed`: whether the lobby contained the reader's `lobbyName`; `removals`: the number of removed
 * players
 * @returns {"yes" | "no" | "ask"}
 */
export function removalOf({ removed = [], lobby = [] }, { player, lobbyName, isListed, removals }) {
  if (player !== null) return removed.includes(player) ? "yes" : "no";
  return removed.length > removals || (isListed && !lobby.includes(lobbyName)) ? "ask" : "no";
}

/**
 * Return whether the reader may be one of the players who joined since the last request to the server.
 * @param {number} players the number of players in the room so far
 * @param {{player: number | null, known: number}} reader `known`: the number of players at that time
 */
export function shouldRequestMembership(players, { player, known }) {
  return player === null && players > known;
}

export class RoomModel {
  /** @param {Snapshot} snapshot @param {string} [language] the reader's */
  constructor(snapshot, language = "en") {
    this.language = language;
    /** @type {Room} */
    this.room = snapshot.room;
    /** @type {{name: string, player: number}[]} */
    this.seats = [];
    /** @type {Map<number, number>} indexes in `seats` by player */
    this.seatByPlayer = new Map();
    /** @type {any[]} */
    this.rounds = [START];
    this.oldest = 1;
    this.newest = 0;
    /** @type {Record<string, string>} by player */
    this.names = {};
    /** @type {Map<number, number>} of the day, by player */
    this.scores = new Map();
    this.reset(snapshot);
  }

  /** @param {Snapshot} snapshot may omit rounds that the page has */
  reset(snapshot) {
    this.room = this.#translated(snapshot.room);
    this.day = snapshot.day;
    this.#call(snapshot.names);
    const fresh = snapshot.rounds.filter(({ round }) => round > this.newest).sort((a, b) => a.round - b.round);
    if (fresh.length > 0 && fresh[0].round > this.newest + 1) this.#startFrom(fresh[0].round);
    for (const round of fresh) this.#addRound(round);
    this.scores = new Map(snapshot.scores);
    /** @type {Map<number, number> | null} those before the newest round; null: unknown */
    this.before = this.#scoresBefore();
  }

  /** @param {any} event @returns {boolean} whether a new round has closed */
  apply(event) {
    this.room = this.#translated(event.room);
    this.#call(event.room.renamed ?? {});
    if (event.type !== "closed" || event.closed.round <= this.newest) return false;
    this.#call(event.names);
    const round = /** @type {ClosedRound} */ (event.closed);
    if (round.round > this.newest + 1) this.#startFrom(round.round);
    this.#addRound(round);
    this.before = round.day === this.day ? this.scores : null;
    this.scores = new Map(this.before ?? []);
    this.day = round.day;
    for (const [player, gain] of round.picks) this.scores.set(player, (this.scores.get(player) ?? 0) + gain);
    return true;
  }

  /** @param {{rounds: ClosedRound[], names: Record<string, string>}} page earlier rounds, newest first */
  addEarlier(page) {
    this.#call(page.names);
    for (const round of page.rounds) {
      if (round.round !== this.oldest - 1) continue;
      this.rounds[round.round] = this.#viewOf(round);
      this.oldest = round.round;
    }
  }

  /** Return how many players this page has seen in the room's rounds or scores. */
  get playerCount() {
    return new Set([...this.seatByPlayer.keys(), ...this.scores.keys()]).size;
  }

  /** Return the newest round, whose `picks` are by player, not by seat. */
  get last() {
    return this.newest > 0 ? this.rounds[this.newest] : null;
  }

  /**
   * @param {number} player
   * @returns {number | null} the player's points in the newest round; null if it did not play
   */
  lastGain(player) {
    const picked = this.last?.picks.find((/** @type {Picked} */ [index]) => index === player);
    return picked ? picked[1] : null;
  }

  /** Return whether today's standings cover all rounds of the room. */
  get isWhole() {
    return this.oldest === 1 && this.newest > 0 && this.rounds[1].day === this.day;
  }

  /** @param {number} player */
  nameOf(player) {
    const name = this.names[player];
    return name === undefined ? `#${player}` : this.#shown(name, this.room);
  }

  /**
   * @returns {Standing[]} today's standings, best first; ties share the better rank, and removed players have no rank
   */
  standings() {
    const removed = new Set(this.room.removed ?? []);
    const now = ranks(without(this.scores, removed));
    const then = this.before && ranks(without(this.before, removed));
    const holders = counts(now.values());
    return [...this.scores]
      .sort((a, b) => Number(removed.has(a[0])) - Number(removed.has(b[0])) || b[1] - a[1] || a[0] - b[0])
      .map(([player, score]) => {
        const before = then?.get(player);
        const rank = now.get(player) ?? 0;
        return {
          player,
          seat: this.seatByPlayer.get(player),
          name: this.nameOf(player),
          score,
          gain: this.lastGain(player) ?? 0,
          rank,
          moved: before === undefined ? null : before - rank,
          shared: (holders.get(rank) ?? 1) - 1,
          isRemoved: removed.has(player),
        };
      });
  }

  /**
   * @param {number} player
   * @returns {{rank: number, shared: number, players: number, score: number} | null} the player's rank; null: none yet
   */
  rankOf(player) {
    const standings = this.standings().filter(({ isRemoved }) => !isRemoved);
    const own = standings.find((standing) => standing.player === player);
    return own ? { rank: own.rank, shared: own.shared, players: standings.length, score: own.score } : null;
  }

  #scoresBefore() {
    const last = this.last;
    if (!last || last.day !== this.day) return null;
    const before = new Map(this.scores);
    const earlier = this.#playersBefore(last);
    for (const [player, gain] of last.picks) {
      if (earlier && !earlier.has(player)) before.delete(player);
      else before.set(player, (before.get(player) ?? 0) - gain);
    }
    return before;
  }

  /**
   * Return the players who played earlier on the round's day; null if the page lacks rounds of that day.
   * @param {ClosedRound} last
   */
  #playersBefore({ round, day }) {
    const players = new Set();
    let earlier = round - 1;
    for (; earlier >= this.oldest && this.rounds[earlier].day === day; earlier -= 1) {
      for (const [player] of this.rounds[earlier].picks) players.add(player);
    }
    return earlier < this.oldest && this.oldest > 1 ? null : players;
  }

  /** @param {string} name @param {Room} room */
  #shown(name, room) {
    return room.translations?.[name]?.[this.language] ?? name;
  }

  /** Translate the room's names into the reader's language. @param {Room} room @returns {Room} */
  #translated(room) {
    if (!room.translations) return room;
    const places = room.podium?.places.map(([rank, name, points]) => /** @type {Place} */ ([rank, this.#shown(name, room), points]));
    return {
      ...room,
      podium: room.podium && places ? { ...room.podium, places } : room.podium,
      dropped: room.dropped.map(([seat, bot, name, fault]) => [seat, bot, this.#shown(name, room), fault]),
    };
  }

  /** @param {Record<string, string>} names */
  #call(names) {
    Object.assign(this.names, names);
    for (const seat of this.seats) seat.name = this.nameOf(seat.player);
  }

  /** Drop all rounds and continue from this one, because earlier ones are missing. @param {number} round */
  #startFrom(round) {
    this.rounds = [START];
    this.oldest = round;
    this.newest = round - 1;
  }

  /** @param {ClosedRound} round */
  #addRound(round) {
    this.rounds[round.round] = this.#viewOf(round);
    if (this.newest === 0) this.oldest = round.round;
    this.newest = round.round;
    for (; (this.newest - this.oldest) * this.seats.length > MAX_KEPT_PICKS; this.oldest += 1) delete this.rounds[this.oldest];
  }

  /** Return a round in the chart's format, by seat. @param {ClosedRound} closed */
  #viewOf({ round, golden, day, picks, nearest, farthest }) {
    /** @type {(number[] | null)[]} */
    const numbers = [];
    /** @type {number[]} */
    const gains = [];
    for (const [player, gain, ...named] of picks) {
      const seat = this.#seatOf(player);
      numbers[seat] = named;
      gains[seat] = gain;
    }
    for (let seat = 0; seat < this.seats.length; seat += 1) {
      numbers[seat] ??= null;
      gains[seat] ??= 0;
    }
    const seats = (/** @type {number[]} */ players) => players.map((player) => this.#seatOf(player));
    return { round, golden, day, picks, numbers, gains, scores: [], nearest: seats(nearest), farthest: seats(farthest) };
  }

  /** @param {number} player */
  #seatOf(player) {
    const known = this.seatByPlayer.get(player);
    if (known !== undefined) return known;
    this.seatByPlayer.set(player, this.seats.length);
    this.seats.push({ name: this.nameOf(player), player });
    return this.seats.length - 1;
  }
}

/** @param {Map<number, number>} scores @param {ReadonlySet<number>} players @returns {Map<number, number>} */
function without(scores, players) {
  return players.size ? new Map([...scores].filter(([player]) => !players.has(player))) : scores;
}

/** @param {Iterable<number>} values @returns {Map<number, number>} how often each occurs */
function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** @param {Map<number, number>} scores @returns {Map<number, number>} rank by player */
function ranks(scores) {
  const sorted = [...scores.values()].sort((a, b) => b - a);
  const first = new Map();
  sorted.forEach((score, index) => first.has(score) || first.set(score, index + 1));
  return new Map([...scores].map(([player, score]) => [player, first.get(score)]));
}
