/**
 * Fit the board of a match to a frame on another site or to the big screen, whatever the length of names.
 *
 * Texts above and below the board keep their size. The board is laid out at a usual width and zoomed to fill the frame;
 * in a small frame, it becomes narrower instead if it then fits, so that its texts stay legible.
 */
import { part } from "../site/dom.js";

const WIDTHS = [34, 48, 64]; // rem: usual widths of boards
const LARGER = 1.1; // a wider layout must use this much more of the frame
const NARROWEST = 0.35; // of the usual width, without zoom
const STEPS = 7; // of the search for a narrower width

/** @typedef {{width: number, height: number}} Size in CSS pixels */
/** @typedef {{width: number, zoom: number}} Fit the width before zooming */

/**
 * @param {Size} space
 * @param {number} rem pixels per rem
 * @param {(width: number) => number} heightAt the height of the board, without zoom, at a width
 * @returns {Fit} with which the board fills as much of the space as possible
 */
export function fillingFit(space, rem, heightAt) {
  const usual = Math.min(WIDTHS[0] * rem, space.width);
  let best = { width: usual, zoom: 1, area: 0 };
  for (const width of WIDTHS.map((one) => Math.min(one * rem, space.width))) {
    const height = heightAt(width);
    const zoom = Math.min(space.width / width, space.height / height);
    const area = width * height * zoom * zoom;
    if (area > best.area * LARGER) best = { width, zoom, area };
  }
  const narrower = best.zoom < 1 ? widthThatFits(space.height, usual, heightAt) : null;
  return narrower ? { width: narrower, zoom: 1 } : { width: best.width, zoom: best.zoom };
}

/**
 * @param {number} most height
 * @param {number} usual width
 * @param {(width: number) => number} heightAt
 * @returns {number | null} the largest width below the usual one at which a board is short enough; null: there is none
 */
function widthThatFits(most, usual, heightAt) {
  let [fits, tooWide] = [usual * NARROWEST, usual];
  if (heightAt(fits) > most) return null;
  for (let step = 0; step < STEPS; step += 1) {
    const width = (fits + tooWide) / 2;
    if (heightAt(width) > most) tooWide = width;
    else fits = width;
  }
  return fits;
}

/** @param {HTMLElement} root a match whose height the page determines */
export function keepFillingFrame(root) {
  const display = part(root, "display");
  if (!display) return;
  const others = /** @type {HTMLElement[]} */ ([...root.children].filter((child) => child !== display));
  const fit = () => {
    if (display.querySelector(".chart")) return; // fills its space by itself
    const texts = others.filter(({ offsetHeight }) => offsetHeight > 0); // a short frame has fewer
    const { paddingTop, paddingBottom, paddingLeft, paddingRight, rowGap } = getComputedStyle(root);
    const gaps = texts.length * parseFloat(rowGap);
    const taken = texts.reduce((sum, text) => sum + text.offsetHeight, gaps + parseFloat(paddingTop) + parseFloat(paddingBottom));
    const space = { width: root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), height: root.clientHeight - taken };
    if (space.height <= 0) return; // before layout
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    display.style.zoom = "";
    const { width, zoom } = fillingFit(space, rem, (tried) => {
      display.style.width = `${tried}px`;
      return display.offsetHeight;
    });
    Object.assign(display.style, { width: `${Math.floor(width)}px`, zoom: String(Math.floor(zoom * 1000) / 1000) });
  };
  const observer = new ResizeObserver(fit);
  for (const box of [root, ...others, ...display.children]) observer.observe(box);
}
