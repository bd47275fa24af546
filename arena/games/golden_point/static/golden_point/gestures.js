/**
 * Gestures on a chart: dragging pans, pinching or Ctrl + wheel zooms, a tap selects, a double click resets.
 *
 * The plain wheel and vertical swipes still scroll the page.
 */

const DRAG_PIXELS = 5; // shorter movements are taps
const WHEEL_STEP = 0.002;

/**
 * @typedef {object} Gestures
 * @property {(pixels: number) => void} onPan called with the distance dragged to the right
 * @property {(factor: number, x: number) => void} onZoom called with the factor for the visible width, and the point in pixels that stays in place
 * @property {() => void} onTap
 * @property {() => void} onReset
 */

/** @param {HTMLElement} area @param {Gestures} gestures */
export function watchGestures(area, { onPan, onZoom, onTap, onReset }) {
  /** @type {Map<number, {x: number, y: number}>} by pointer */
  const held = new Map();
  let travelled = 0;
  const left = () => area.getBoundingClientRect().left;

  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (held.size === 0) travelled = 0;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });

  area.addEventListener("pointermove", (event) => {
    const from = held.get(event.pointerId);
    if (!from) return;
    const [one, other] = held.values();
    const before = other ? Math.abs(one.x - other.x) : 0;
    const moved = event.clientX - from.x;
    travelled += Math.abs(moved);
    if (travelled > DRAG_PIXELS) area.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!other) {
      if (travelled > DRAG_PIXELS) onPan(moved);
      return;
    }
    const [first, second] = held.values();
    const after = Math.abs(first.x - second.x);
    if (before > 0 && after > 0) onZoom(before / after, (first.x + second.x) / 2 - left());
  });

  for (const end of ["pointerup", "pointercancel"]) {
    area.addEventListener(end, (event) => held.delete(/** @type {PointerEvent} */ (event).pointerId));
  }

  area.addEventListener("click", () => travelled <= DRAG_PIXELS && onTap());
  area.addEventListener("dblclick", onReset);

  area.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) onZoom(Math.exp(event.deltaY * WHEEL_STEP), event.clientX - left());
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) onPan(-event.deltaX);
      else return;
      event.preventDefault();
    },
    { passive: false },
  );
}
