/**
 * 2584 for learners: slides, exact values, and TD(0) on afterstates (boards after a move, before the next tile drops).
 * Needs neither the DOM nor a worker.
 *
 * A board is two rows of three tiles; each row is a base-13 number whose first tile is the most significant digit. The
 * board with the smallest code represents its four symmetric boards.
 */

const TILES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];
const BASE = 13;
const ROWS = BASE ** 3;
const DROPS = [
  { tile: 1, chance: 0.9 },
  { tile: 2, chance: 0.1 },
];
const PLACE = [BASE * BASE, BASE, 1]; // place values in a row

/** @param {number[]} line @returns {{slid: number[], reward: number}} the line slid to its first cell */
export function slideLine(line) {
  /** @type {number[]} */
  const slid = [];
  let reward = 0;
  let mayMerge = false;
  for (const tile of line) {
    if (tile === 0) continue;
    const last = slid[slid.length - 1];
    if (mayMerge && ((last === 1 && tile === 1) || Math.abs(last - tile) === 1)) {
      slid[slid.length - 1] = Math.max(last, tile) + 1;
      reward += TILES[slid[slid.length - 1]] ?? 0;
      mayMerge = false;
    } else {
      slid.push(tile);
      mayMerge = true;
    }
  }
  while (slid.length < line.length) slid.push(0);
  return { slid, reward };
}

const rowOf = (/** @type {number[]} */ tiles) => tiles[0] * PLACE[0] + tiles[1] * PLACE[1] + tiles[2];
const tilesOf = (/** @type {number} */ row) => [Math.floor(row / PLACE[0]), Math.floor(row / PLACE[1]) % BASE, row % BASE];

// Each row's slide result and reward; rows that would form a tile beyond the largest never occur in a game.
const left = new Int32Array(ROWS);
const right = new Int32Array(ROWS);
const leftReward = new Int32Array(ROWS);
const rightReward = new Int32Array(ROWS);
const mirrored = new Int32Array(ROWS);
for (let row = 0; row < ROWS; row += 1) {
  const tiles = tilesOf(row);
  const toLeft = slideLine(tiles);
  const toRight = slideLine([...tiles].reverse());
  left[row] = rowOf(toLeft.slid);
  right[row] = rowOf(toRight.slid.reverse());
  leftReward[row] = toLeft.reward;
  rightReward[row] = toRight.reward;
  mirrored[row] = rowOf(tiles.reverse());
}
// The same for the two tiles in a column.
const pairs = Array.from({ length: BASE * BASE }, (_, pair) => slideLine([Math.floor(pair / BASE), pair % BASE]));

/** Return the code of a board. @param {number[]} tiles six indices */
export const codeOf = (tiles) => rowOf(tiles.slice(0, 3)) * ROWS + rowOf(tiles.slice(3));

/** @param {number} code @returns {number} the smallest code among its four symmetric boards */
function canonical(code) {
  const upper = Math.floor(code / ROWS);
  const lower = code % ROWS;
  const a = mirrored[upper];
  const b = mirrored[lower];
  return Math.min(code, lower * ROWS + upper, a * ROWS + b, b * ROWS + a);
}

/** The reward of the last `slide`: returning a pair would allocate an object per move. */
let gained = 0;

/**
 * @param {number} code
 * @param {number} direction 0 up, 1 right, 2 down, 3 left
 * @returns {number} the resulting board
 */
export function slide(code, direction) {
  const upper = Math.floor(code / ROWS);
  const lower = code % ROWS;
  if (direction === 1 || direction === 3) {
    const [rows, rewards] = direction === 3 ? [left, leftReward] : [right, rightReward];
    gained = rewards[upper] + rewards[lower];
    return rows[upper] * ROWS + rows[lower];
  }
  gained = 0;
  let above = 0;
  let below = 0;
  for (const place of PLACE) {
    const one = Math.floor(upper / place) % BASE;
    const other = Math.floor(lower / place) % BASE;
    const { slid, reward } = pairs[direction === 0 ? one * BASE + other : other * BASE + one];
    gained += reward;
    above += slid[direction === 0 ? 0 : 1] * place;
    below += slid[direction === 0 ? 1 : 0] * place;
  }
  return above * ROWS + below;
}

/** Return the reward of the last slide. */
export const reward = () => gained;

/** @param {number} code @returns {number[]} for each empty cell, what tile 1 there adds to the code */
export function emptyPlaces(code) {
  const found = [];
  for (const [row, weight] of [[Math.floor(code / ROWS), ROWS], [code % ROWS, 1]]) {
    for (const place of PLACE) if (Math.floor(row / place) % BASE === 0) found.push(place * weight);
  }
  return found;
}

/** The exact values of all reachable afterstates. */
export class Truth {
  constructor() {
    /** Index of each canonical board in `values`, plus 1; 0: not computed yet. */
    this.places = new Int32Array(ROWS * ROWS);
    /** @type {number[]} */
    this.values = [];
    this.start = this.#expected(0, (first) => this.#expected(first, (second) => this.before(second)));
  }

  /** @param {number} code @param {(after: number) => number} worth the value after the drop */
  #expected(code, worth) {
    const places = emptyPlaces(code);
    let sum = 0;
    for (const place of places) for (const { tile, chance } of DROPS) sum += chance * worth(code + tile * place);
    return sum / places.length;
  }

  /** @param {number} code @returns {number} the value of a board before a move */
  before(code) {
    let best = 0;
    for (let direction = 0; direction < 4; direction += 1) {
      const slid = slide(code, direction);
      if (slid === code) continue;
      const worth = gained; // `after` overwrites `gained`
      best = Math.max(best, worth + this.after(slid));
    }
    return best;
  }

  /** @param {number} code @returns {number} the value of an afterstate, computed on first use */
  after(code) {
    const board = canonical(code);
    const place = this.places[board];
    if (place > 0) return this.values[place - 1];
    const value = this.#expected(board, (next) => this.before(next));
    this.values.push(value);
    this.places[board] = this.values.length;
    return value;
  }

  /** @param {number} code @returns {number} the index of an afterstate's value */
  placeOf(code) {
    return this.places[canonical(code)] - 1;
  }
}

/** @typedef {{games: number, initial: number, first: number, last: number}} Plan the rate falls evenly from `first` to `last` */
/** @typedef {{games: number, score: number, error: number}} Progress means over the games since the report before */

/** A learner that plays game after game and moves each afterstate's value towards its TD(0) target. */
export class Learner {
  score = 0;

  played = 0;

  error = 0;

  met = 0; // moves since the last report

  /** @param {Truth} truth @param {Plan} plan @param {() => number} [random] */
  constructor(truth, plan, random = Math.random) {
    this.truth = truth;
    this.exact = Float64Array.from(truth.values);
    this.plan = plan;
    this.random = random;
    this.values = new Float64Array(truth.values.length).fill(plan.initial);
    this.games = 0;
  }

  get isDone() {
    return this.games >= this.plan.games;
  }

  /** @param {number} count how many games to play */
  play(count) {
    const end = Math.min(this.plan.games, this.games + count);
    while (this.games < end) this.#game();
  }

  /** @returns {Progress} */
  report() {
    const progress = { games: this.games, score: this.score / Math.max(1, this.played), error: this.error / Math.max(1, this.met) };
    this.#forget();
    return progress;
  }

  #forget() {
    [this.score, this.played, this.error, this.met] = [0, 0, 0, 0];
  }

  #game() {
    const { first, last, games } = this.plan;
    const rate = first + (last - first) * (this.games / games);
    let board = this.#drop(this.#drop(0));
    let before = -1;
    for (;;) {
      let best = -Infinity;
      let slid = -1;
      let place = -1;
      let won = 0;
      for (let direction = 0; direction < 4; direction += 1) {
        const next = slide(board, direction);
        if (next === board) continue;
        const at = this.truth.placeOf(next);
        if (gained + this.values[at] > best) {
          best = gained + this.values[at];
          [slid, place, won] = [next, at, gained];
        }
      }
      if (before >= 0) this.values[before] += rate * ((slid < 0 ? 0 : best) - this.values[before]);
      if (slid < 0) break;
      this.score += won;
      this.error += Math.abs(this.values[place] - this.exact[place]);
      this.met += 1;
      before = place;
      board = this.#drop(slid);
    }
    this.games += 1;
    this.played += 1;
  }

  /** @param {number} code */
  #drop(code) {
    const places = emptyPlaces(code);
    const tile = this.random() < DROPS[0].chance ? DROPS[0].tile : DROPS[1].tile;
    return code + tile * places[Math.floor(this.random() * places.length)];
  }
}
