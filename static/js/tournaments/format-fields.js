/** The form of a tournament: shows the fields that the chosen format has. */

/** @param {HTMLFormElement} form */
function startFormatFields(form) {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-formats]"));

  function show() {
    const chosen = new FormData(form).get("format");
    for (const one of parts) one.hidden = !(one.dataset.formats ?? "").split(" ").includes(String(chosen));
  }

  form.addEventListener("change", show);
  show();
}

for (const form of document.querySelectorAll("form[data-format-fields]")) {
  startFormatFields(/** @type {HTMLFormElement} */ (form));
}
