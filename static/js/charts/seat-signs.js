/** A seat's sign in and beside charts: twelve filled hues, then the same twelve hollow. */
import { element } from "../site/dom.js";

export const HUES = 12;

/** @param {number} seat @returns {boolean} */
export function isHollow(seat) {
  return Math.floor(seat / HUES) % 2 === 1;
}

/** @param {number} seat @returns {HTMLElement} its sign as in the chart, to precede its name */
export function seatSign(seat) {
  return element("span", { class: `seat-sign hue-${seat % HUES}${isHollow(seat) ? " is-hollow" : ""}`, "aria-hidden": "true" });
}
