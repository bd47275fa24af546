/** Fits a scene to the window, so that no board, bracket or row of a table is cut off. */
import { shrinkBoard } from "../matches/board-size.js";

const LARGEST = 1.4; // zoom factor of a small bracket
const ONE_STEP = 0.97; // by how much a bracket shrinks if it is still too tall
const MAX_TRIES = 8;

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
 * The zoom factor at which a box fills its container in one direction and fits in the other.
 * @param {[number, number]} size of the box at a factor of 1
 * @param {[number, number]} room size of the container
 * @param {number} most the largest factor
 */
export function fillingZoom(size, room, most) {
  return Math.min(most, ...size.map((length, index) => (length > 0 && room[index] > 0 ? room[index] / length : 1)));
}

/** @param {HTMLElement} scene */
function fitBracket(scene) {
  const trees = /** @type {HTMLElement | null} */ (scene.querySelector("[data-part=trees]"));
  const room = trees?.parentElement;
  if (!trees || !room) return;
  trees.style.zoom = "";
  let zoom = fillingZoom([trees.scrollWidth, trees.scrollHeight], [room.clientWidth, room.clientHeight], LARGEST);
  trees.style.zoom = String(zoom);
  // Names can wrap differently at another size.
  for (let tries = 0; tries < MAX_TRIES && trees.getBoundingClientRect().height > room.clientHeight; tries += 1) {
    zoom *= ONE_STEP;
    trees.style.zoom = String(zoom);
  }
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
