/** How a seat looks in a chart and beside it: twelve hues, filled, then the same twelve hollow. */

export const HUES = 12;

/** @param {number} seat @returns {string} the class that sets `--hue` */
export function hueClass(seat) {
  return `hue-${seat % HUES}`;
}

/** @param {number} seat @returns {boolean} */
export function isHollow(seat) {
  return Math.floor(seat / HUES) % 2 === 1;
}

/** Colours of the present theme, read from the custom properties of tokens.css. */
export function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    gold: read("--gold"),
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    surface: read("--surface"),
    near: read("--green-text"),
    far: read("--red-text"),
    hues: Array.from({ length: HUES }, (_, index) => read(`--hue-${index}`)),
  };
}
