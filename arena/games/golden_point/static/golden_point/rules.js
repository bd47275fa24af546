/**
 * Score one golden-point round by the rules in arena/games/golden_point/rules.py; pure.
 *
 * Invariant: it computes the same doubles as that module: the numbers are summed without intermediate rounding
 * (Shewchuk's partial sums, as in Python's math.fsum), and distances are compared exactly.
 */

const [MIN_NUMBER, MAX_NUMBER] = [0, 100]; // valid numbers are strictly between these
const RATIO = 0.618;
const FARTHEST_LOSES = 2;

/** @param {number} number @returns {boolean} whether a player may submit it; false for NaN */
export function isValid(number) {
  return MIN_NUMBER < number && number < MAX_NUMBER;
}

/** @param {number[]} values @returns {number} their sum, rounded once */
export function exactSum(values) {
  /** @type {number[]} */
  const partials = [];
  for (let x of values) {
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }
  return rounded(partials);
}

/**
 * Return the sum of non-overlapping partials, smallest first; half-way cases are rounded according to the lower
 * partials.
 * @param {number[]} partials
 */
function rounded(partials) {
  let at = partials.length - 1;
  if (at < 0) return 0;
  let high = partials[at];
  let low = 0;
  while (at > 0 && low === 0) {
    const x = high;
    const y = partials[--at];
    high = x + y;
    low = y - (high - x);
  }
  if (at > 0 && low !== 0 && low < 0 === partials[at - 1] < 0) {
    const twice = low * 2;
    const x = high + twice;
    if (twice === x - high) return x;
  }
  return high;
}

/**
 * @param {(number[] | null)[]} numbers by seat; null where nothing was submitted
 * @returns {{golden: number, gains: number[]} | null} null if nobody submitted
 */
export function scoreRound(numbers) {
  const named = numbers.flatMap((own) => own ?? []);
  if (named.length === 0) return null;
  const golden = RATIO * (exactSum(named) / named.length);
  const distances = numbers.map((own) => own?.map((number) => Math.abs(number - golden)) ?? []);
  const least = Math.min(...distances.flat());
  const most = Math.max(...distances.flat());
  const present = numbers.filter((own) => own !== null).length;
  const gains = distances.map((own) => {
    if (present < 2) return 0;
    const won = own.includes(least) ? present : 0;
    return won - (most > least && own.includes(most) ? FARTHEST_LOSES : 0);
  });
  return { golden, gains };
}
