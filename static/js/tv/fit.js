/** Fit a scene to the window, so that no board, bracket or row of a table is cut off, and short tables fill it. */
import { fillingFit } from "../matches/frame-fit.js";
import { TablePager } from "../site/table-pager.js";

const MAX_ROWS = 10; // on a page of standings
export const PAGE_INTERVAL = 6_000; // milliseconds: these pages are shorter than a room's
const LARGEST = 1; // zoom factor
const LARGEST_TABLE = 2; // zoom factor of standings with few rows
const SMALLEST = 0.2;
const ONE_STEP = 0.96; // by how much a bracket shrinks while it is too large
const TEXT_SHARE = 0.5; // of the screen, for the texts above or below a board
const ONE_LINE = 1.6; // a name that is taller than this many times its font size wraps
const ONE_LINE_OF_CAPTION = 2.2; // as above; a caption has a larger line height
const SMALLEST_CAPTION = 0.95; // rem: at least 26 px at 1920

/**
 * Return the largest zoom factor at which something fits.
 * @param {(zoom: number) => boolean} fits
 * @param {number} [largest]
 */
export function fittingZoom(fits, largest = LARGEST) {
  let zoom = largest;
  while (zoom > SMALLEST && !fits(zoom)) zoom *= ONE_STEP;
  return zoom;
}

/** Let a bracket fill the width, in the largest font at which it fits the height. @param {HTMLElement} scene */
function fitBracket(scene) {
  const trees = /** @type {HTMLElement | null} */ (scene.querySelector("[data-part=trees]"));
  const container = trees?.parentElement;
  if (!trees || !container) return;
  const names = /** @type {HTMLElement[]} */ ([...trees.querySelectorAll("[data-entry]")]);
  fittingZoom((zoom) => {
    trees.style.zoom = String(zoom);
    trees.style.width = `${container.clientWidth / zoom}px`;
    for (const name of names) name.classList.remove("is-long");
    const long = names.filter((name) => name.clientHeight > ONE_LINE * parseFloat(getComputedStyle(name).fontSize));
    for (const name of long) name.classList.add("is-long");
    const [width, height] = [trees.scrollWidth * zoom, trees.scrollHeight * zoom];
    return height <= container.clientHeight && width <= container.clientWidth + 1;
  });
}

/** Write a caption above a wide board on one line if a slightly smaller font permits. @param {HTMLElement} scene */
function fitCaption(scene) {
  const caption = /** @type {HTMLElement | null} */ (scene.querySelector(".tv-caption"));
  if (!caption || !scene.classList.contains("is-wide")) return;
  caption.style.fontSize = "";
  const usual = parseFloat(getComputedStyle(caption).fontSize);
  const least = SMALLEST_CAPTION * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const zoom = fittingZoom((factor) => {
    caption.style.fontSize = `${usual * factor}px`;
    return usual * factor < least || caption.clientHeight <= ONE_LINE_OF_CAPTION * usual * factor;
  });
  if (usual * zoom < least) caption.style.fontSize = ""; // it needs more than one line in any case
}

/** Shrink the texts of a match if they leave too little space for the board above or below them. @param {HTMLElement} scene */
function fitTexts(scene) {
  const side = /** @type {HTMLElement | null} */ (scene.querySelector(".tv-match__side"));
  if (!side) return;
  const display = scene.querySelector(".tv-match__display");
  const isBeside = !display || display.getBoundingClientRect().right <= side.getBoundingClientRect().left;
  const space = scene.clientHeight * (isBeside ? 1 : TEXT_SHARE);
  fittingZoom((zoom) => {
    side.style.zoom = String(zoom);
    return side.getBoundingClientRect().height <= space;
  });
}

/** Shrink the board of a card that is too tall, but not the texts above and below it. @param {HTMLElement} scene */
function fitBoard(scene) {
  const display = scene.querySelector(".tv-match__display");
  const card = /** @type {HTMLElement | null} */ (display?.querySelector(".live-match"));
  const board = /** @type {HTMLElement | null} */ (card?.querySelector("[data-part=display]") ?? card?.firstElementChild);
  if (!display || !card || !board || board.querySelector(".chart")) return; // a chart fills its space by itself
  Object.assign(board.style, { width: "", zoom: "", justifySelf: "" });
  const { width, height } = board.getBoundingClientRect();
  const space = { width, height: display.clientHeight - (card.getBoundingClientRect().height - height) };
  if (height <= space.height || space.height <= 0) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const fit = fillingFit(space, rem, (tried) => {
    board.style.width = `${tried}px`;
    return board.offsetHeight;
  });
  Object.assign(board.style, { width: `${Math.floor(fit.width)}px`, zoom: String(Math.floor(fit.zoom * 1000) / 1000), justifySelf: "center" });
}

/** Let standings with few rows fill the height in a larger font. @param {HTMLElement} scene @param {TablePager} paging */
function fitStandings(scene, paging) {
  const table = paging.body.closest("table");
  const wrap = table?.parentElement;
  if (!table || !wrap) return;
  table.style.zoom = "";
  paging.draw();
  if (paging.pages > 1) return;
  const { paddingBottom } = getComputedStyle(scene);
  const bottom = scene.getBoundingClientRect().bottom - parseFloat(paddingBottom);
  const usual = table.getBoundingClientRect().height;
  fittingZoom((zoom) => {
    table.style.zoom = String(zoom);
    const wraps = table.getBoundingClientRect().height > usual * zoom + 1; // a name takes more lines
    const isInside = wrap.getBoundingClientRect().bottom <= bottom && wrap.scrollWidth <= wrap.clientWidth + 1;
    return zoom <= LARGEST || (isInside && !wraps);
  }, LARGEST_TABLE);
}

/**
 * Turn through the standings if they do not fit.
 * @param {HTMLElement} scene
 * @returns {TablePager | null}
 */
function startPaging(scene) {
  const body = /** @type {HTMLTableSectionElement | null} */ (scene.querySelector("[data-part=standings] tbody"));
  const pager = /** @type {HTMLElement | null} */ (scene.querySelector("[data-part=pager]"));
  if (!body || !pager) return null;
  const space = () => {
    const { paddingBottom } = getComputedStyle(scene);
    return scene.getBoundingClientRect().bottom - parseFloat(paddingBottom) - body.getBoundingClientRect().top;
  };
  return new TablePager({ body, pager, space, every: PAGE_INTERVAL, most: MAX_ROWS, total: Number(pager.dataset.total) || undefined });
}

/**
 * @param {HTMLElement} scene
 * @returns {{pages: number, stop: () => void}} into how many pages the scene is divided, and a function that stops it
 */
export function keepFitting(scene) {
  const paging = startPaging(scene);
  const fit = () => {
    fitCaption(scene);
    fitTexts(scene);
    fitBoard(scene);
    if (paging) fitStandings(scene, paging);
    fitBracket(scene);
  };
  const observer = new ResizeObserver(fit);
  for (const box of scene.querySelectorAll(".live-match, .tv-match__display, .tv-match__side, [data-part=standings] table")) observer.observe(box);
  window.addEventListener("resize", fit);
  fit();
  const stop = () => {
    paging?.stop();
    observer.disconnect();
    window.removeEventListener("resize", fit);
  };
  return { pages: paging?.pages ?? 1, stop };
}
