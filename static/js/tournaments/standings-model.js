/**
 * The page's model of a tournament: a snapshot, and the numbered events that follow it.
 *
 * Invariant: events set values and never add to them, so that applying one twice changes nothing.
 */

/** @typedef {{entry: number, rank: number | null, name: string, names?: Record<string, string>, owner: string, bot_url: string, points: number, played: number, wins: number, draws: number, losses: number, margin: number, tiebreaks: (number | null)[], mean_rank: number | null, best_place: number | null, worst_place: number | null, places_gained: number, status: string, reason: string}} Row */
/** @typedef {{finished: number, total: number, running: number, failed: number, ends_at?: string | null}} Progress */
/** @typedef {{id: number, url: string, status: string, name?: string, name_translations?: Record<string, string>, hidden: number, names: string[], translations?: Record<string, string>[], scores: (number | null)[]}} MatchLine */
/** @typedef {{points: number, played: number}} HeadToHead */

const MATCHES_SHOWN = 20;
const MAX_MEDALS = 3; // of the same colour

export class StandingsModel {
  /** @type {number} */
  seq = 0;

  /** @type {string} */
  status = "";

  /** True while the results are withheld from the reader; only a snapshot after the release has them. */
  withheld = false;

  /** @type {Progress} */
  progress = { finished: 0, total: 0, running: 0, failed: 0 };

  /** @type {Map<number, Row>} */
  rows = new Map();

  /** @type {number[]} */
  order = [];

  /** @type {MatchLine[]} running ones first, then the latest */
  matches = [];

  /** @type {{index: number, decimals?: number | null}[]} the tiebreaks that have a column */
  columns = [];

  /** True if ranks are the best places that are still possible, as in a bracket. */
  showsRanges = false;

  /** @type {{name: string, decimals: number} | null} what a score attack calls its scores, and their decimals */
  score = null;

  /** @type {Map<string, HeadToHead>} by "entry-opponent" */
  met = new Map();

  /** @param {any} snapshot @param {string} language the page's: events contain names in every language */
  constructor(snapshot, language = "en") {
    this.language = language;
    this.reset(snapshot);
  }

  /** @param {any} snapshot */
  reset(snapshot) {
    this.seq = snapshot.seq;
    this.status = snapshot.status;
    this.withheld = snapshot.withheld ?? false;
    this.progress = snapshot.progress;
    this.rows = new Map(snapshot.rows.map((/** @type {Row} */ row) => [row.entry, row]));
    this.order = snapshot.order;
    this.matches = snapshot.matches;
    this.columns = snapshot.columns ?? [];
    this.showsRanges = snapshot.shows_ranges ?? false;
    this.score = snapshot.score ?? null;
    this.met = new Map();
    for (const [entry, others] of Object.entries(snapshot.head_to_head)) {
      for (const [opponent, met] of Object.entries(others)) this.met.set(`${entry}-${opponent}`, met);
    }
  }

  /** @param {any} event @returns {boolean} whether it contains entries without a row on the page */
  apply(event) {
    this.seq = event.seq ?? this.seq;
    this.progress = { ...this.progress, ...event.progress }; // the event of a match says nothing about the end
    if (event.status) this.status = event.status;
    const unknown = (event.rows ?? []).some((/** @type {Row} */ row) => !this.rows.has(row.entry));
    for (const row of event.rows ?? []) this.rows.set(row.entry, { ...row, name: this.#translated(row.name, row.names) });
    if (event.order) this.order = event.order;
    for (const pair of event.head_to_head ?? []) {
      this.met.set(`${pair.a}-${pair.b}`, { points: pair.points_a, played: pair.played });
      this.met.set(`${pair.b}-${pair.a}`, { points: pair.points_b, played: pair.played });
    }
    if (event.match) this.#place(this.#translatedMatch(event.match));
    return unknown;
  }

  /** @param {string} name @param {Record<string, string> | undefined} names @returns {string} */
  #translated(name, names) {
    return names?.[this.language] ?? name;
  }

  /** @param {MatchLine} match @returns {MatchLine} */
  #translatedMatch(match) {
    return {
      ...match,
      name: this.#translated(match.name ?? "", match.name_translations),
      names: match.names.map((name, place) => this.#translated(name, match.translations?.[place])),
    };
  }

  /**
   * @returns {Row[]} the entries in first place; empty before anything is ranked, and on later pages of the standings
   */
  get leaders() {
    return this.order.map((entry) => this.rows.get(entry)).filter((row) => row !== undefined).filter((row) => row.rank === 1 && !this.isOpen(row));
  }

  /**
   * @param {Pick<Row, "best_place" | "worst_place">} row
   * @returns {boolean} whether the row's place is still a range, as in arena/tournaments/formats/places.py
   */
  isOpen({ best_place, worst_place }) {
    return this.showsRanges && this.status !== "finished" && best_place !== worst_place;
  }

  /** @param {Pick<Row, "rank" | "best_place" | "worst_place">} row @returns {string} as in arena/tournaments/templatetags/standings.py */
  medal(row) {
    const { rank } = row;
    if (this.isOpen(row)) return "";
    const tied = [...this.rows.values()].filter((row) => row.rank === rank).length;
    return rank === null || tied > MAX_MEDALS ? "" : String(rank);
  }

  /** @param {number} entry @param {number} opponent @returns {"ahead" | "behind" | "even" | ""} */
  result(entry, opponent) {
    const mine = this.met.get(`${entry}-${opponent}`);
    const theirs = this.met.get(`${opponent}-${entry}`);
    if (!mine) return "";
    const against = theirs?.points ?? 0;
    return mine.points === against ? "even" : mine.points > against ? "ahead" : "behind";
  }

  /** Put a started match after the running ones, and an ended one before the rest. @param {MatchLine} match */
  #place(match) {
    const others = this.matches.filter((known) => known.id !== match.id);
    const running = others.filter((known) => known.status === "running");
    const ended = others.filter((known) => known.status !== "running");
    this.matches = [...running, match, ...ended].slice(0, MATCHES_SHOWN + running.length);
  }
}
