/** A tournament's bracket: pointing at a bot marks it in every round, and a list selects whose path is shown. */
import { refreshParts } from "../live/refresh.js";

/** @param {string | undefined} entry to mark everywhere, if any */
function mark(entry) {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".bracket [data-entry]"))) {
    link.classList.toggle("is-followed", link.dataset.entry === entry);
  }
}

/** @param {Event} event */
function point(event) {
  const target = event.target instanceof Element ? event.target : null;
  mark(/** @type {HTMLElement | null} */ (target?.closest(".bracket [data-entry]"))?.dataset.entry);
}

/** @param {Event} event */
async function choose(event) {
  const select = event.target instanceof HTMLSelectElement ? event.target : null;
  if (!select?.closest("form[data-bracket-path]")) return;
  const address = new URL(location.href);
  if (select.value) address.searchParams.set("path", select.value);
  else address.searchParams.delete("path");
  history.replaceState(history.state, "", address);
  select.blur(); // a part of the page with a form in use is not replaced
  for (const option of select.options) option.defaultSelected = option.selected;
  await refreshParts();
  document.getElementById("bracket-path")?.focus({ preventScroll: true });
}

document.addEventListener("pointerover", point);
document.addEventListener("focusin", point);
document.addEventListener("change", choose);
