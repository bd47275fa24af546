/**
 * The search dialog: "/" or the link in the header opens it, and results appear as the reader types.
 *
 * Arrow keys move the focus between the field and the results, and Escape closes the dialog. The server renders the
 * results as on the search page, which Enter in the field opens.
 */
import { element, part } from "./dom.js";
import { send } from "./requests.js";

const PAUSE_MS = 120; // between the last keystroke and the request
const EDITABLE = "input, textarea, select, [contenteditable=''], [contenteditable=true]";

/** Set up the page's search dialog, if there is one. */
export function startSearch() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-search-dialog]"));
  if (!dialog) return;
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    dialog.querySelector("input")?.select();
  };
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-search]"))) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the reader wants a new tab
      event.preventDefault();
      open();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    open();
  });
  startDialog(dialog);
}

/** @param {KeyboardEvent} event @returns {boolean} whether "/" was typed outside a text field */
function isShortcut(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (document.querySelector("dialog[open]")) return false;
  return !(event.target instanceof Element && event.target.closest(EDITABLE));
}

/** @param {HTMLDialogElement} dialog */
function startDialog(dialog) {
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const field = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  const results = /** @type {HTMLElement} */ (part(dialog, "results"));
  const status = /** @type {HTMLElement} */ (part(dialog, "status"));
  let timer = 0;
  let newest = 0;

  const show = async () => {
    const number = ++newest;
    const text = field.value.trim();
    const answer = text ? await send(`${form.dataset.hits}?${new URLSearchParams({ q: text })}`) : null;
    if (number !== newest) return; // the reader has typed something else
    if (answer?.state === "done") draw(results, answer.body);
    else results.replaceChildren(...(answer ? [element("p", { class: "muted" }, unanswered())] : []));
    status.textContent = answer ? statusText(answer.state === "done", hits(dialog).length) : "";
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE_MS);
  });
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...hits(dialog)];
    const at = stops.indexOf(/** @type {any} */ (document.activeElement));
    stops[Math.min(stops.length - 1, Math.max(0, at + step))].focus();
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
}

/** @param {HTMLElement} dialog @returns {HTMLAnchorElement[]} */
function hits(dialog) {
  return [.../** @type {NodeListOf<HTMLAnchorElement>} */ (dialog.querySelectorAll("a[data-hit]"))];
}

/** @param {HTMLElement} results @param {string} markup rendered by the server */
function draw(results, markup) {
  results.replaceChildren(...new DOMParser().parseFromString(markup, "text/html").body.childNodes);
}

/** @param {boolean} done @param {number} count @returns {string} for screen readers */
function statusText(done, count) {
  if (!done) return unanswered();
  return count ? interpolate(ngettext("%s result", "%s results", count), [count]) : gettext("Nothing found");
}

/** @returns {string} */
function unanswered() {
  return gettext("The search did not respond. Press Enter to try the search page.");
}
