/** The points of a match. */

/** @param {any} view @returns {number[]} points of all deals so far, by seat */
export function totals(view) {
  const deals = view ? [...view.over, view.points] : [];
  return [0, 1].map((seat) => deals.reduce((sum, points) => sum + points[seat], 0));
}
