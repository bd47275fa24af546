/** Shrinks a board that is taller than its container. */

/**
 * The zoom factor at which a board is no higher than its container.
 * @param {number} height of the board at the container's width
 * @param {number} room height of the container
 */
export const fittingZoom = (height, room) => (height > room && room > 0 ? room / height : 1);

/**
 * @param {HTMLElement} board
 * @param {() => number} roomFor measures the height of the board's container while the board has its full size
 */
export function shrinkBoard(board, roomFor) {
  Object.assign(board.style, { width: "", zoom: "" });
  const { width, height } = board.getBoundingClientRect();
  const zoom = fittingZoom(height, roomFor());
  // A fixed width keeps the board's layout: otherwise a board whose height depends on its width would not shrink.
  if (zoom < 1) Object.assign(board.style, { width: `${width}px`, zoom: String(zoom) });
}
