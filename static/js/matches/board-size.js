/** The size of a board that is taller than its container. */

/**
 * Return the zoom factor at which a board is no higher than its container.
 * @param {number} height of the board at the container's width
 * @param {number} space height of the container
 */
export const fittingZoom = (height, space) => (height > space && space > 0 ? space / height : 1);
