/** The size of a board that is taller than its container. */

/**
 * The zoom factor at which a board is no higher than its container.
 * @param {number} height of the board at the container's width
 * @param {number} room height of the container
 */
export const fittingZoom = (height, room) => (height > room && room > 0 ? room / height : 1);
