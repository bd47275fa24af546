/**
 * Choose what the big screen shows next: which scene of the programme, and for how long.
 *
 * Pure except for the clock that it is given. The first rule that applies decides:
 * - a scene stays for its minimum time, so that it can be read, and a table until all its pages have been shown;
 * - a scene that is no longer in the programme leaves: a finished match after its result has been shown, a replaced
 *   turning point after it can have been read, and a withheld scene immediately;
 * - the podium of a tournament that has just ended comes next, once;
 * - a turning point follows directly after its match;
 * - a match that is decided gives way to one that is not, after its minimum time;
 * - while matches are being played, each scene that is not a match is followed by a match;
 * - matches rotate: the game that was not shown for the longest time comes next, then the tournament within the game,
 *   then the most important match; decided matches are shown only if there is no other;
 * - after two matches, a table or a part of a bracket is shown, or earlier if it has changed and was not shown recently;
 * - otherwise, the most important scene is shown, with preference for those not shown recently;
 * - no scene is shown twice in a row while there is an alternative.
 */

/** @typedef {"match" | "turning_point" | "podium" | "standings" | "bracket" | "lobby" | "upcoming"} Kind */
/** @typedef {{kind: Kind, id: number, url: string, weight: number, version?: number, tournament?: number, game?: string, decided?: boolean, part?: number, news?: boolean}} Scene `decided`: whether a match's lead is hardly ever lost; `news`: whether a podium's tournament has just ended */

/** The minimum time for a scene and, while others wait, its maximum time, in milliseconds. */
export const TIMES = {
  match: { least: 15_000, most: 45_000 },
  turning_point: { least: 14_000, most: 14_000 },
  podium: { least: 16_000, most: 16_000 },
  standings: { least: 12_000, most: 12_000 },
  bracket: { least: 12_000, most: 12_000 },
  lobby: { least: 10_000, most: 10_000 },
  upcoming: { least: 10_000, most: 10_000 },
};
export const RESULT_SHOWN = 5_000; // for a match that has ended
const MATCHES_IN_A_ROW = 2;
const RECENT_FOR = 120_000; // how long a shown scene stays less important
const RECENT_PENALTY = 2; // at first; it falls to 0 over that time

/** @param {Scene | null} scene */
export const keyOf = (scene) => (scene ? [scene.kind, scene.id, scene.part].join(" ").trim() : "");

/** @param {Scene | null} scene @returns {scene is Scene} whether it shows the podium, the standings or the bracket */
const isTable = (scene) => scene?.kind === "podium" || scene?.kind === "standings" || scene?.kind === "bracket";

const gameOf = (/** @type {Scene} */ scene) => `game ${scene.game}`;
const tournamentOf = (/** @type {Scene} */ scene) => `tournament ${scene.tournament}`;

export class Director {
  /** @type {Scene | null} the scene on screen */
  scene = null;

  /** The time when that scene appeared. */
  #since = 0;

  /** The minimum time for that scene, if longer than others of its kind. */
  #extended = 0;

  /** The time when the scene left the programme; 0 while in it. */
  #gone = 0;

  /** The number of matches shown since the last table. */
  #matches = 0;

  /** @type {Map<string, number>} when each scene was shown last */
  #shown = new Map();

  /** @type {Map<string, number>} the version of each table that was shown last */
  #versions = new Map();

  /** @type {Map<string, number>} when a match of each game and tournament was shown last */
  #rotation = new Map();

  /** @param {() => number} clock a monotonic clock in milliseconds */
  constructor(clock) {
    this.clock = clock;
  }

  /**
   * @param {Scene[]} programme the current scenes
   * @returns {Scene | null} the scene to show from now on; the same object while nothing changes, null for none
   */
  next(programme) {
    const now = this.clock();
    if (this.scene && this.#stays(programme, now)) return this.scene;
    const chosen = this.#choose(programme, now);
    if (chosen && keyOf(chosen) === keyOf(this.scene)) return this.scene;
    this.#cut(chosen, now);
    return this.scene;
  }

  /** Let the current scene stay at least this long, because it has several pages. @param {number} milliseconds */
  extend(milliseconds) {
    this.#extended = milliseconds;
  }

  /** @param {Scene[]} programme @param {number} now */
  #stays(programme, now) {
    const { kind, tournament } = /** @type {Scene} */ (this.scene);
    const key = keyOf(this.scene);
    const age = now - this.#since;
    const current = programme.find((scene) => keyOf(scene) === key);
    if (!current) {
      this.#gone ||= now;
      if (kind === "match") return now - this.#gone < RESULT_SHOWN;
      const isPublic = programme.some((scene) => scene.kind === "standings" && scene.id === tournament);
      return kind === "turning_point" && isPublic && age < TIMES.turning_point.least;
    }
    this.#gone = 0;
    const waiting = programme.some((scene) => keyOf(scene) !== key);
    if (age < Math.max(TIMES[kind].least, this.#extended)) return true;
    const givesWay = current.decided && programme.some((scene) => scene.kind === "match" && !scene.decided);
    return kind === "match" && ((age < TIMES.match.most && !givesWay) || !waiting);
  }

  /** @param {Scene[]} programme @param {number} now @returns {Scene | null} */
  #choose(programme, now) {
    const before = keyOf(this.scene);
    const others = programme.filter((scene) => keyOf(scene) !== before);
    if (others.length === 0) return programme[0] ?? null;
    const podium = others.find((scene) => scene.news && !this.#shown.has(keyOf(scene)));
    if (podium) return podium;
    const ended = this.scene?.kind === "match" ? this.scene.id : 0;
    const about = others.find((scene) => scene.kind === "turning_point" && scene.id === ended);
    if (about) return about;
    const live = others.filter((scene) => scene.kind === "match");
    const match = this.#nextMatch(live, now);
    if (match && this.scene?.kind !== "match") return match;
    const fresh = others.filter((scene) => (scene.kind === "match" ? scene === match : scene.kind !== "turning_point" || !this.#shown.has(keyOf(scene))));
    const table = this.#matches >= MATCHES_IN_A_ROW ? this.#best(fresh.filter(isTable), now) : null;
    const same = programme.find((scene) => keyOf(scene) === before);
    return table ?? this.#best(fresh, now) ?? same ?? this.#best(others, now);
  }

  /** @param {Scene[]} matches @param {number} now @returns {Scene | null} */
  #nextMatch(matches, now) {
    const open = matches.filter((scene) => !scene.decided);
    const sameGame = this.#longestWaiting(open.length > 0 ? open : matches, gameOf);
    return this.#best(this.#longestWaiting(sameGame, tournamentOf), now);
  }

  /**
   * @param {Scene[]} matches
   * @param {(scene: Scene) => string} group
   * @returns {Scene[]} the matches of the groups that were not shown for the longest time
   */
  #longestWaiting(matches, group) {
    const last = (/** @type {Scene} */ scene) => this.#rotation.get(group(scene)) ?? -1;
    const first = Math.min(...matches.map(last));
    return matches.filter((scene) => last(scene) === first);
  }

  /** @param {Scene[]} scenes @param {number} now @returns {Scene | null} */
  #best(scenes, now) {
    const last = (/** @type {Scene} */ scene) => this.#shown.get(keyOf(scene)) ?? -1;
    const ordered = [...scenes].sort((one, other) => this.#worth(other, now) - this.#worth(one, now) || last(one) - last(other));
    return ordered[0] ?? null;
  }

  /** @param {Scene} scene @param {number} now */
  #worth(scene, now) {
    const key = keyOf(scene);
    const age = now - (this.#shown.get(key) ?? -Infinity);
    const penalty = Math.max(0, 1 - age / RECENT_FOR) * RECENT_PENALTY;
    const unchanged = isTable(scene) && this.#versions.get(key) === scene.version ? 1 : 0;
    return scene.weight - penalty - unchanged;
  }

  /** @param {Scene | null} scene @param {number} now */
  #cut(scene, now) {
    if (this.scene) this.#shown.set(keyOf(this.scene), now);
    if (scene?.kind === "match") for (const group of [gameOf(scene), tournamentOf(scene)]) this.#rotation.set(group, now);
    if (isTable(scene)) this.#versions.set(keyOf(scene), scene.version ?? 0);
    this.#matches = scene?.kind === "match" ? this.#matches + 1 : isTable(scene) ? 0 : this.#matches;
    this.scene = scene;
    this.#since = now;
    this.#gone = 0;
    this.#extended = 0;
  }
}
