/** A seat's swatch in and beside charts: twelve filled hues, then the same twelve hollow. */
import { element } from "../site/dom.js";

export const HUES = 12;

/** @param {number} seat @returns {boolean} */
export function isHollow(seat) {
  return Math.floor(seat / HUES) % 2 === 1;
}

/** @param {number} seat @returns {HTMLElement} its swatch as in the chart, to precede its name */
export function seatSwatch(seat) {
  return element("span", { class: `seat-swatch hue-${seat % HUES}${isHollow(seat) ? " is-hollow" : ""}`, "aria-hidden": "true" });
}
