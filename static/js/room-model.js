/**
 * What a room has shown so far: its players and closed rounds, as the golden-number chart wants them.
 *
 * Invariants: `rounds[0]` is the start; a player keeps its place once it has one; a round is added once.
 */

/** @typedef {{userId: string, masterNumber: number, slaveNumber: number, score: number}} UserNumbers */
/** @typedef {{roundId: string, index: number, goldenNumber: number, userNumbers: UserNumbers[]}} PlayedRound */

const START = { round: 0, golden: null, numbers: [], nearest: [], farthest: [], scores: [], gains: [] };

export class RoomModel {
  constructor() {
    /** @type {{name: string}[]} */
    this.seats = [];
    /** @type {any[]} */
    this.rounds = [START];
    /** @type {PlayedRound | null} */
    this.newest = null;
    /** @type {Map<string, number>} */
    this.places = new Map();
  }

  /**
   * @param {{rounds: PlayedRound[], nickNames: Record<string, string>}} history in any order
   * @returns {boolean} whether players came who were not there before
   */
  add(history) {
    const before = this.seats.length;
    const known = this.newest?.index ?? 0;
    const fresh = history.rounds.filter((round) => round.index > known).sort((a, b) => a.index - b.index);
    for (const round of fresh) this.#addRound(round, history.nickNames);
    return this.seats.length > before;
  }

  /** @param {string} uid @returns {number | null} what this player got in the newest round; null if it did not play */
  lastGain(uid) {
    return this.newest?.userNumbers.find((each) => each.userId === uid)?.score ?? null;
  }

  #addRound(round, names) {
    const numbers = [];
    const gains = [];
    const nearest = [];
    for (const each of round.userNumbers) {
      const place = this.#placeOf(each.userId, names);
      numbers[place] = each.slaveNumber ? [each.masterNumber, each.slaveNumber] : [each.masterNumber];
      gains[place] = each.score;
      if (each.score > 0) nearest.push(place);
    }
    for (let place = 0; place < this.seats.length; place += 1) {
      numbers[place] ??= null;
      gains[place] ??= 0;
    }
    const scores = gains.map((gain, place) => gain + (this.rounds.at(-1)?.scores[place] ?? 0));
    this.rounds.push({ round: round.index, golden: round.goldenNumber, numbers, nearest, farthest: [], scores, gains });
    this.newest = round;
  }

  #placeOf(uid, names) {
    const known = this.places.get(uid);
    if (known !== undefined) return known;
    this.places.set(uid, this.seats.length);
    this.seats.push({ name: names[uid] ?? uid.slice(0, 6) });
    return this.seats.length - 1;
  }
}
