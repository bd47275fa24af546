/** Columns and ranges of the curve of an analysis; pure. */

const LEAST = 8; // discs: a quiet game is not drawn as if it were wild
const MOST = 64;

/** @typedef {{ply: number, value: number | null, exact: boolean, grade: string | null}} Point */
/** @typedef {Point & {value: number}} Valued */

/**
 * Columns for uPlot: by move the estimated and the proven values. The last estimate is joined to the first proof.
 * @param {Point[]} positions in their order
 * @returns {[number[], (number | null)[], (number | null)[]]}
 */
export function curve(positions) {
  const plies = positions.map((position) => position.ply);
  const proven = positions.map((position) => (position.exact ? position.value : null));
  const estimated = positions.map((position, at) => {
    const joins = position.exact && at > 0 && !positions[at - 1].exact && positions[at - 1].value !== null;
    return !position.exact || joins ? position.value : null;
  });
  return [plies, estimated, proven];
}

/** As far up as down, so that zero is in the middle; in steps of eight discs. @param {Point[]} positions @returns {[number, number]} */
export function leadRange(positions) {
  const most = Math.max(LEAST, ...positions.map((position) => Math.abs(position.value ?? 0)));
  const end = Math.min(MOST, Math.ceil((most + 1) / LEAST) * LEAST);
  return [-end, end];
}

/** The moves that are marked in the curve. @param {Point[]} positions @returns {Valued[]} */
export function marked(positions) {
  const isValued = /** @type {(position: Point) => position is Valued} */ ((position) => position.value !== null);
  return positions.filter(isValued).filter((position) => ["mistake", "blunder"].includes(position.grade ?? ""));
}
