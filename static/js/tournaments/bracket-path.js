/**
 * A bot's path through a tournament's bracket: hovering over a bot or focusing it highlights the path temporarily;
 * selecting its row, or the bot in the list, keeps the path highlighted.
 */
import { refreshParts } from "../live/refresh.js";

/** @param {EventTarget | null} target @returns {HTMLElement | null} the row of a bot in a bracket */
const rowOf = (target) => (target instanceof Element ? target.closest(".bracket :is(.encounter__side, .encounter--bye)") : null);

/** @param {HTMLElement | null} row @returns {string} the entry of the row's bot; "" for a winner that is not known yet */
const entryOf = (row) => /** @type {HTMLElement | null} */ (row?.querySelector("[data-entry]"))?.dataset.entry ?? "";

/** @param {string} entry whose path to highlight, in every round and in all brackets; "" for none */
function highlightPath(entry) {
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-reached-by]"))) {
    const isTraced = entry !== "" && (cell.dataset.reachedBy ?? "").split(" ").includes(entry);
    cell.classList.toggle("is-traced", isTraced);
    cell.classList.toggle("is-traced-last", isTraced && ![entry, ""].includes(cell.dataset.winner ?? ""));
  }
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".bracket [data-entry]"))) {
    link.classList.toggle("is-followed", link.dataset.entry === entry);
  }
  for (const bracket of document.querySelectorAll(".bracket")) bracket.classList.toggle("has-trace", entry !== "");
}

/** @param {Event} event */
const highlightPointed = (event) => highlightPath(entryOf(rowOf(event.target)));

/** @param {string} entry whose path to keep highlighted; "" for none */
async function pinPath(entry) {
  const address = new URL(location.href);
  if (entry) address.searchParams.set("path", entry);
  else address.searchParams.delete("path");
  history.replaceState(history.state, "", address);
  await refreshParts();
}

/** @param {Event} event */
async function onListChange(event) {
  const select = event.target instanceof HTMLSelectElement ? event.target : null;
  if (!select?.closest("form[data-bracket-path]")) return;
  select.blur(); // a part of the page with a form in use is not replaced
  for (const option of select.options) option.defaultSelected = option.selected;
  await pinPath(select.value);
  document.getElementById("bracket-path")?.focus({ preventScroll: true });
}

const topOfTree = () => document.querySelector(".bracket")?.getBoundingClientRect().top ?? 0;

/** @param {Event} event */
async function onRowClick(event) {
  const row = rowOf(event.target);
  const entry = entryOf(row);
  if (!row || !entry || (event.target instanceof Element && event.target.closest("a"))) return;
  const before = topOfTree();
  await pinPath(new URL(location.href).searchParams.get("path") === entry ? "" : entry);
  window.scrollBy(0, topOfTree() - before); // the path is listed above the tree, and the selected row stays where it was
}

document.addEventListener("pointerover", highlightPointed);
document.addEventListener("focusin", highlightPointed);
document.addEventListener("change", onListChange);
document.addEventListener("click", onRowClick);
