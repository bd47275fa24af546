/**
 * Refresh the parts of a page that only the server can render, when a live event makes them stale.
 *
 * Invariants: only one fetch runs at a time, and each call is followed by a fetch that starts after it, so that the
 * newest version is shown last; a form that someone is filling in is left alone until a later event.
 */
import { send } from "../site/requests.js";

const MAX_TRIES = 4; // while the site is busy or unreachable

/** Dispatched on the document after parts were replaced, with the fetched page, for scripts that draw in them. */
export const REFRESHED = "parts-refreshed";

/** @type {Promise<void> | null} */
let running = null;
/** @type {Promise<void> | null} the next refresh, for which calls made during a refresh wait */
let next = null;

/**
 * Replace every element with `data-refresh` and an id with its current version from the page's URL. If the fetch fails,
 * the page stays as it is.
 * @returns {Promise<void>} resolves when everything is replaced
 */
export function refreshParts() {
  if (running) {
    next ??= running.then(() => {
      next = null;
      return refreshParts();
    });
    return next;
  }
  running = fetchParts().finally(() => (running = null));
  return running;
}

async function fetchParts() {
  if (!document.querySelector("[data-refresh][id]")) return;
  const answer = await send(location.href, { headers: { Accept: "text/html" } }, { tries: MAX_TRIES });
  if (answer.state !== "done") return; // the next event or visit retries
  const fresh = new DOMParser().parseFromString(answer.body, "text/html");
  for (const part of document.querySelectorAll("[data-refresh][id]")) {
    const drawn = fresh.getElementById(part.id);
    if (drawn && !isInUse(part)) replace(part, document.adoptNode(drawn));
  }
  document.dispatchEvent(new CustomEvent(REFRESHED, { detail: fresh }));
}

/** @param {Element} part @returns {boolean} whether someone is filling in a form there */
function isInUse(part) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input, select, textarea"));
  return [...fields].some((field) => {
    if (field === document.activeElement || field.defaultChecked !== field.checked) return true;
    return field.defaultValue !== undefined && field.defaultValue !== field.value;
  });
}

/**
 * Keep the open `<details>`, the focused link and how far boxes are scrolled, if the new part has them too.
 * @param {Element} part
 * @param {Element} drawn
 */
function replace(part, drawn) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const before = part.querySelectorAll("details");
  const after = drawn.querySelectorAll("details");
  if (before.length === after.length) after.forEach((details, place) => (details.open ||= before[place].open));
  const scrolled = boxesOf(part).map((box) => [box.scrollLeft, box.scrollTop]);
  part.replaceWith(drawn);
  const boxes = boxesOf(drawn);
  if (boxes.length === scrolled.length) boxes.forEach((box, place) => box.scrollTo({ left: scrolled[place][0], top: scrolled[place][1], behavior: "instant" }));
  if (focused instanceof HTMLAnchorElement) {
    const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (drawn.querySelectorAll("a[href]"));
    [...links].find((link) => link.href === focused.href)?.focus({ preventScroll: true });
  }
}

/** @param {Element} part @returns {Element[]} the boxes that can be scrolled: see `scrollable` in arena/ui/templatetags/ui.py */
const boxesOf = (part) => [part, ...part.querySelectorAll("[tabindex='0']")];
