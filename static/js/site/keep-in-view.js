/** Keep the current item of a list in view. */

/** @type {WeakMap<Element, () => void>} what keeps an item of this list in view */
const scrollers = new WeakMap();
const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => scrollers.get(target)?.()));

/**
 * Scroll a list item into view by scrolling the list and the panes around it, never the page; again whenever the list
 * or a pane changes its size, such as when its tab is opened.
 * @param {HTMLElement} list
 * @param {Element} item
 */
export function keepInView(list, item) {
  const boxes = boxesAround(list);
  const scroll = () => scrollToItem(boxes, item);
  for (const box of boxes) {
    if (!scrollers.has(box)) observer.observe(box);
    scrollers.set(box, scroll);
  }
  scroll();
}

/** @param {HTMLElement} list @returns {HTMLElement[]} the list and what contains it, except the page itself */
function boxesAround(list) {
  const boxes = [];
  for (let box = /** @type {HTMLElement | null} */ (list); box && box !== document.body; box = box.parentElement) boxes.push(box);
  return boxes;
}

/** @param {HTMLElement[]} boxes from the inside out @param {Element} item */
function scrollToItem(boxes, item) {
  if (!item.checkVisibility()) return;
  for (const box of boxes) {
    if (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
    const [frame, place] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
    if (place.top < frame.top || place.bottom > frame.bottom) box.scrollTop += place.top - frame.top - frame.height / 2;
  }
}
