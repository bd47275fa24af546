/** Animate table rows from their old to their new places (FLIP: first, last, invert, play). */
import { prefersReducedMotion } from "./dom.js";

const TIMING = { duration: 480, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };

/** Return whether the row is visible: on the current page of the table and in the document. @param {HTMLElement} row */
const isShown = (row) => row.clientHeight > 0;

/**
 * Record where the rows are.
 * @param {Iterable<HTMLElement>} rows
 * @returns {() => void} animates each row from there to its new place; call it after moving the rows
 */
export function prepareFlip(rows) {
  if (prefersReducedMotion()) return () => {};
  const before = [...rows].filter(isShown).map((row) => ({ row, top: row.getBoundingClientRect().top }));
  return () => {
    for (const { row, top } of before) {
      const shift = isShown(row) ? top - row.getBoundingClientRect().top : 0;
      if (shift) row.animate([{ transform: `translateY(${shift}px)` }, { transform: "none" }], TIMING);
    }
  };
}
