/** Features of every page: theme, times, menus, search, auto-submitted forms. */
import { asksForConfirmation, resetConfirmation } from "./confirmation.js";
import { request } from "./requests.js";
import { allowResubmission, isDoubleSubmission } from "./double-submission.js";
import { startSearch } from "./search.js";
import { startTimes } from "./time.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** Announce the shown theme, as chosen with the toggle of theme-boot.js or set in the system, as `themechange`. */
function announceTheme() {
  const root = document.documentElement;
  const chosen = root.dataset.theme;
  const theme = chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
  root.dataset.shownTheme = theme;
  document.dispatchEvent(new CustomEvent("themechange", { detail: theme }));
}

/** Follow the system's theme while nothing is chosen. */
function startTheme() {
  system.addEventListener("change", announceTheme);
  announceTheme();
}

/** Close an open menu on Escape, on a click elsewhere, or when the focus leaves it. */
function startMenus() {
  for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-menu]"))) {
    document.addEventListener("click", (event) => {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
    menu.addEventListener("focusout", (event) => {
      const next = /** @type {Node | null} */ (event.relatedTarget);
      if (next && !menu.contains(next)) menu.open = false;
    });
  }
}

/** Scroll the menu and tabs until the current entry is in the middle, if the screen is narrow. */
function startTabs() {
  for (const entry of document.querySelectorAll(":is(.site-nav, ul.tabs) [aria-current]")) {
    const list = /** @type {HTMLElement} */ (entry.closest(".site-nav, ul.tabs"));
    const [frame, place] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
    list.scrollLeft += place.left + place.width / 2 - frame.left - frame.width / 2;
  }
}

/** Set up forms: one with a question asks before submitting; `<form data-autosubmit>` submits when a choice changes. */
function startForms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (asksForConfirmation(form, event.submitter)) event.preventDefault();
    else if (isDoubleSubmission(form, performance.now())) event.preventDefault();
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) {
      allowResubmission(form);
      resetConfirmation(form);
    }
  });
  document.addEventListener("change", (event) => {
    const field = /** @type {HTMLElement} */ (event.target);
    const form = /** @type {HTMLFormElement | null} */ (field.closest("form[data-autosubmit]"));
    if (form && field.matches("select, input[type=radio], input[type=checkbox]")) form.requestSubmit();
  });
}

/**
 * Set up copying: `<button data-copy="text">` copies the text to the clipboard and says so; `data-copy-url` copies the
 * content at that URL, and `data-copy-address` the URL of the page.
 */
function startCopying() {
  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLElement | null} */ (
      /** @type {HTMLElement} */ (event.target).closest("[data-copy], [data-copy-url], [data-copy-address]")
    );
    if (!button) return;
    const label = (button.dataset.label ??= button.textContent ?? "");
    const done = await copied(button.dataset).then(() => true, () => false);
    button.textContent = done ? gettext("Copied") : gettext("Not copied");
    setTimeout(() => (button.textContent = label), 1500);
  });
}

/** @param {DOMStringMap} source @returns {Promise<void>} rejects if the browser refuses or the request fails */
async function copied({ copy, copyUrl }) {
  if (!copyUrl) return navigator.clipboard.writeText(copy || location.href);
  const answer = await request(copyUrl);
  if (!answer.ok) throw new Error(answer.statusText);
  return navigator.clipboard.writeText(await answer.text());
}

startTheme();
startTimes();
startMenus();
startTabs();
startForms();
startCopying();
startSearch();
