/** Colours of the present theme for what is drawn on a canvas, where no style sheet reaches. */
import { HUES } from "./seat-signs.js";

/** Read from the custom properties of tokens.css; another theme has others. */
export function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    gold: read("--gold"),
    green: read("--green"),
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    surface: read("--surface"),
    good: read("--green-text"),
    warn: read("--amber-text"),
    bad: read("--red-text"),
    hues: Array.from({ length: HUES }, (_, index) => read(`--hue-${index}`)),
  };
}
