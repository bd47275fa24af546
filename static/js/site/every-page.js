/** What every page has: theme, times, menus, search, forms that send themselves. */
import { asksFirst, forgetAnswer } from "./confirmation.js";
import { forget, isRepetition } from "./sending.js";
import { startSearch } from "./search.js";
import { startTheme } from "./theme.js";
import { startTimes } from "./time.js";

/** Close an open menu with Escape, by a click elsewhere, or when the focus leaves it. */
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

/** A form with a question asks before it is sent; `<form data-autosubmit>` is sent when a choice changes. */
function startForms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (asksFirst(form, event.submitter)) event.preventDefault();
    else if (isRepetition(form, performance.now())) event.preventDefault();
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) {
      forget(form);
      forgetAnswer(form);
    }
  });
  document.addEventListener("change", (event) => {
    const field = /** @type {HTMLElement} */ (event.target);
    const form = /** @type {HTMLFormElement | null} */ (field.closest("form[data-autosubmit]"));
    if (form && field.matches("select, input[type=radio], input[type=checkbox]")) form.requestSubmit();
  });
}

/**
 * `<button data-copy="text">` puts the text on the clipboard and says so; `data-copy-url` what is at that address, and
 * `data-copy-address` the address of the page.
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

/** @param {DOMStringMap} source @returns {Promise<void>} fails where the browser refuses or the address does not answer */
async function copied({ copy, copyUrl }) {
  if (!copyUrl) return navigator.clipboard.writeText(copy || location.href);
  const answer = await fetch(copyUrl);
  if (!answer.ok) throw new Error(answer.statusText);
  return navigator.clipboard.writeText(await answer.text());
}

startTheme();
startTimes();
startMenus();
startForms();
startCopying();
startSearch();
