/** The upload page: a drop zone around the file field, and a template in the editor for the chosen game. */
import "../common.js"; // loaded already; without this, the studio's later import would split its chunk
import { pageData, part, setText } from "../site/dom.js";

/** @type {Record<string, number>} bytes by ending */
const LARGEST = { py: 1024 * 1024, zip: 8 * 1024 * 1024 }; // the limits in arena.core.sandbox.uploads.package

/** @param {number} bytes @returns {string} */
function sizeText(bytes) {
  const language = document.documentElement.lang || "en";
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "kilobyte"] : [bytes / 1024 / 1024, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1, useGrouping: false }).format(value);
}

/** @param {File} file @returns {string} why the server would refuse it, "" if it would not */
function problemOf(file) {
  const ending = file.name.toLowerCase().split(".").at(-1) ?? "";
  if (!(ending in LARGEST)) return gettext("Only .py and .zip files can be uploaded.");
  if (file.size === 0) return gettext("This file is empty. Choose another file.");
  const most = LARGEST[ending];
  if (file.size > most) return interpolate(gettext("This file is %s; the limit is %s. Choose a smaller file."), [sizeText(file.size), sizeText(most)]);
  return "";
}

/** @param {HTMLElement} zone components/dropzone.html */
function startDropzone(zone) {
  const input = /** @type {HTMLInputElement} */ (zone.querySelector("input[type=file]"));
  const show = () => {
    const file = input.files?.[0];
    const problem = file ? problemOf(file) : "";
    setText(part(zone, "file"), file ? `${file.name} · ${sizeText(file.size)}` : "");
    setText(part(zone, "problem"), problem);
    input.setCustomValidity(problem);
    zone.classList.toggle("has-file", Boolean(file) && !problem);
    zone.classList.toggle("has-problem", Boolean(problem));
  };
  input.addEventListener("change", show);
  show(); // a file may have been chosen before this script loaded
  for (const type of ["dragenter", "dragover"]) {
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add("is-over");
    });
  }
  for (const type of ["dragleave", "drop"]) zone.addEventListener(type, () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    input.files = files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/**
 * Start the editor with the chosen game's template, and follow the choice until the reader types.
 * @param {HTMLTextAreaElement} field
 * @param {Record<string, string>} starters by game
 */
function startTemplates(field, starters) {
  const untouched = () => field.value === "" || Object.values(starters).includes(field.value);
  const fill = () => {
    const chosen = document.querySelector("input[name=game]:checked, select[name=game], input[name=game][type=hidden]");
    const game = /** @type {HTMLInputElement | null} */ (chosen)?.value ?? field.dataset.game ?? "";
    if (!starters[game] || !untouched() || field.value === starters[game]) return;
    field.value = starters[game];
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  document.addEventListener("change", (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).name === "game") fill();
  });
  fill();
}

for (const zone of document.querySelectorAll("[data-dropzone]")) startDropzone(/** @type {HTMLElement} */ (zone));

const starters = pageData("starters");
const field = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('textarea[data-editor="python"]'));
if (starters && field) startTemplates(field, starters);
