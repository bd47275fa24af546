/** Fits a scene to the window, so that no board, bracket or row of a table is cut off. */
import { shrinkBoard } from "../matches/board-size.js";

const LARGEST = 1; // zoom factor
const SMALLEST = 0.2;
const ONE_STEP = 0.96; // by how much a bracket shrinks while it is too large
const ONE_LINE = 1.6; // a name that is taller than this many lines of its font wraps

/**
 * The largest height that fits and at which a table ends with a whole row.
 * @param {number[]} ends where each row ends, measured from the table's top
 * @param {number} room
 * @returns {number | null} null if the whole table fits, or not even one row does
 */
export function fittingHeight(ends, room) {
  const fitting = ends.filter((end) => end <= room);
  return fitting.length === ends.length || fitting.length === 0 ? null : Math.max(...fitting);
}

/**
 * The largest zoom factor at which something fits.
 * @param {(zoom: number) => boolean} fits
 */
export function fittingZoom(fits) {
  let zoom = LARGEST;
  while (zoom > SMALLEST && !fits(zoom)) zoom *= ONE_STEP;
  return zoom;
}

/** Let a bracket fill the width, in the largest font at which it fits the height. @param {HTMLElement} scene */
function fitBracket(scene) {
  const trees = /** @type {HTMLElement | null} */ (scene.querySelector("[data-part=trees]"));
  const room = trees?.parentElement;
  if (!trees || !room) return;
  const names = /** @type {HTMLElement[]} */ ([...trees.querySelectorAll("[data-entry]")]);
  fittingZoom((zoom) => {
    trees.style.zoom = String(zoom);
    trees.style.width = `${room.clientWidth / zoom}px`;
    for (const name of names) name.classList.remove("is-long");
    const long = names.filter((name) => name.clientHeight > ONE_LINE * parseFloat(getComputedStyle(name).fontSize));
    for (const name of long) name.classList.add("is-long");
    const [width, height] = [trees.scrollWidth * zoom, trees.scrollHeight * zoom];
    return height <= room.clientHeight && width <= room.clientWidth + 1;
  });
}

/** @param {HTMLElement} scene */
function fitBoard(scene) {
  const place = scene.querySelector(".tv-match__stage");
  const board = /** @type {HTMLElement | null} */ (place?.querySelector(".live-match"));
  if (place && board) shrinkBoard(board, () => place.clientHeight);
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
 * @returns {() => void} a function that stops it
 */
export function keepFitting(scene) {
  const fit = () => {
    fitBoard(scene);
    fitRows(scene);
    fitBracket(scene);
  };
  const observer = new ResizeObserver(fit);
  for (const box of scene.querySelectorAll(".live-match, [data-part=standings] table")) observer.observe(box);
  window.addEventListener("resize", fit);
  fit();
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", fit);
  };
}
