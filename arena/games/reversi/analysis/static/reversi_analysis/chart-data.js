/** Columns and ranges for the curve of an analysis; pure. */

const MIN_RANGE = 8; // discs, so that a quiet match does not look wild
const MAX_RANGE = 64;

/** @typedef {{ply: number, value: number | null, exact: boolean, grade: string | null}} Point */
/** @typedef {Point & {value: number}} Valued */

/**
 * Return columns for uPlot: moves, estimated values and proven values. The line of estimates ends at the first proven
 * value.
 * @param {Point[]} positions in order
 * @returns {[number[], (number | null)[], (number | null)[]]}
 */
export function curveColumns(positions) {
  const plies = positions.map((position) => position.ply);
  const proven = positions.map((position) => (position.exact ? position.value : null));
  const estimated = positions.map((position, at) => {
    const joins = position.exact && at > 0 && !positions[at - 1].exact && positions[at - 1].value !== null;
    return !position.exact || joins ? position.value : null;
  });
  return [plies, estimated, proven];
}

/** Return a range symmetric around zero, in steps of eight discs. @param {Point[]} positions @returns {[number, number]} */
export function leadRange(positions) {
  const most = Math.max(MIN_RANGE, ...positions.map((position) => Math.abs(position.value ?? 0)));
  const end = Math.min(MAX_RANGE, Math.ceil((most + 1) / MIN_RANGE) * MIN_RANGE);
  return [-end, end];
}

/** Return the moves that are marked on the curve. @param {Point[]} positions @returns {Valued[]} */
export function markedMoves(positions) {
  const isValued = /** @type {(position: Point) => position is Valued} */ ((position) => position.value !== null);
  return positions.filter(isValued).filter((position) => ["mistake", "blunder"].includes(position.grade ?? ""));
}
