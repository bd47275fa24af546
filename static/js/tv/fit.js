/** Keeps a scene within the window: no game's board is cut off, and neither is a row of a table. */

/**
 * The part of its size at which a board is no higher than its place.
 * @param {number} height of the board as wide as its place
 * @param {number} room height of the place
 */
export const fittingZoom = (height, room) => (height > room && room > 0 ? room / height : 1);

/**
 * The height at which a table ends with a whole row.
 * @param {number[]} ends where each row ends, below the table's top
 * @param {number} room
 * @returns {number | null} null if the whole table fits, or not even a row
 */
export function fittingHeight(ends, room) {
  const fitting = ends.filter((end) => end <= room);
  return fitting.length === ends.length || fitting.length === 0 ? null : Math.max(...fitting);
}

/** @param {HTMLElement} scene */
function fitBoard(scene) {
  const place = scene.querySelector(".tv-match__stage");
  const board = /** @type {HTMLElement | null} */ (place?.querySelector(".live-match"));
  if (!place || !board) return;
  Object.assign(board.style, { width: "", zoom: "" });
  const { width, height } = board.getBoundingClientRect();
  const zoom = fittingZoom(height, place.clientHeight);
  // With its width the board keeps its layout: otherwise one whose height depends on its width would not get lower.
  if (zoom < 1) Object.assign(board.style, { width: `${width}px`, zoom: String(zoom) });
}

/** @param {HTMLElement} scene */
function fitRows(scene) {
  const table = /** @type {HTMLElement | null} */ (scene.querySelector("[data-part=standings]"));
  if (!table) return;
  const { top } = table.getBoundingClientRect();
  const rows = [...table.querySelectorAll("tbody tr")].filter((row) => row.clientHeight > 0);
  const { paddingBottom } = getComputedStyle(scene);
  const room = scene.getBoundingClientRect().bottom - parseFloat(paddingBottom) - top;
  const height = fittingHeight(rows.map((row) => row.getBoundingClientRect().bottom - top), room);
  table.style.maxHeight = height === null ? "" : `${height}px`;
}

/**
 * @param {HTMLElement} scene
 * @returns {() => void} what stops it
 */
export function keepFitting(scene) {
  const fit = () => {
    fitBoard(scene);
    fitRows(scene);
  };
  const observer = new ResizeObserver(fit);
  for (const box of scene.querySelectorAll(".live-match, [data-part=standings] table")) observer.observe(box);
  window.addEventListener("resize", fit);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", fit);
  };
}
