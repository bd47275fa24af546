/**
 * Keep the board of a match above the replay controls, which are always in view beside a wide board.
 *
 * `--display-height` is the height between the top of the board and the controls: boards fill it. A taller board
 * shrinks; it can grow again when the window changes, but not at every move.
 */
import { part } from "../site/dom.js";
import { fittingZoom } from "./board-size.js";

const BESIDE = "(width >= 60rem)"; // the controls of a narrow page are above the board's end only while scrolling
const MIN_HEIGHT = 240; // pixels: a board is not made smaller than this
const MIN_SHARE = 0.2; // of the window's height, for a chart
const SLACK = 1; // pixels
const BELOW = 8; // pixels below the controls

/**
 * Return the height between the top of the board and the controls at the bottom of the window, before scrolling.
 * @param {{windowHeight: number, top: number, controls: number, gap: number}} measures
 */
export const heightAbove = ({ windowHeight, top, controls, gap }) => Math.max(MIN_HEIGHT, windowHeight - top - gap - controls - BELOW);

/** Redraw a chart with less height: a zoomed chart does not find the pointer. @param {HTMLElement} chart @param {number} by pixels */
function reduceHeight(chart, by) {
  const height = chart.querySelector(".chart__plot")?.clientHeight ?? 0; // 0 while a table is shown instead
  const share = Math.max(MIN_SHARE, (height - by) / innerHeight);
  if (share * innerHeight >= height) return;
  chart.style.setProperty("--chart-share", String(share));
  document.dispatchEvent(new Event("viewchange"));
}

/** @param {HTMLElement} root a match */
export function keepAboveControls(root) {
  const display = part(root, "display");
  const controls = part(root, "replay-controls");
  if (!display || !controls) return;
  let zoom = 1;

  const shrink = () => {
    if (!matchMedia(BESIDE).matches) return;
    const { top } = display.getBoundingClientRect();
    const gap = parseFloat(getComputedStyle(controls.parentElement ?? controls).rowGap) || 0;
    const space = heightAbove({ windowHeight: innerHeight, top: top + scrollY, controls: controls.offsetHeight, gap });
    root.style.setProperty("--display-height", `${space}px`);
    const box = display.getBoundingClientRect();
    if (box.height <= space + SLACK) return;
    const chart = /** @type {HTMLElement | null} */ (display.querySelector(".chart"));
    if (chart) reduceHeight(chart, box.height - space);
    else shrinkTo(box, space);
  };
  /** @param {DOMRect} box @param {number} space */
  const shrinkTo = (box, space) => {
    // A fixed width keeps the board's layout: otherwise a board whose height depends on its width would not shrink.
    if (zoom === 1) Object.assign(display.style, { flex: "none", width: `${box.width}px` });
    zoom *= fittingZoom(box.height, space);
    display.style.zoom = String(zoom);
  };
  const start = () => {
    zoom = 1;
    root.style.removeProperty("--display-height");
    Object.assign(display.style, { flex: "", width: "", zoom: "" });
    display.querySelector(".chart")?.removeAttribute("style");
    shrink();
  };

  const observer = new ResizeObserver(shrink);
  for (const box of [display, root.querySelector(".match-page__head")]) if (box) observer.observe(box);
  window.addEventListener("resize", start);
  // The evaluation bar appears beside the board, which then has less width.
  const bar = /** @type {HTMLElement | null} */ (part(root, "evaluation-bar"));
  let barWidth = bar?.offsetWidth ?? 0;
  const makeWay = new ResizeObserver(() => {
    if (!bar || bar.offsetWidth === barWidth) return;
    barWidth = bar.offsetWidth;
    start();
  });
  if (bar) makeWay.observe(bar);
}
