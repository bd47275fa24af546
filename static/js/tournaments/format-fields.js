/** The tournament form: shows the fields of the chosen format and the chosen start. */

/** @param {HTMLFormElement} form */
function startFormatFields(form) {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-formats], [data-starts]"));

  function show() {
    const chosen = new FormData(form);
    for (const one of parts) {
      const { formats, starts } = one.dataset;
      const wanted = String(chosen.get(formats === undefined ? "start" : "format"));
      one.hidden = !(formats ?? starts ?? "").split(" ").includes(wanted);
      // Hidden times are not sent: the server would refuse a time that the chosen start does not have.
      for (const field of starts === undefined ? [] : one.querySelectorAll("input")) field.disabled = one.hidden;
    }
  }

  form.addEventListener("change", show);
  window.addEventListener("pageshow", show); // the back/forward cache restores the fields' values
  show();
}

for (const form of document.querySelectorAll("form[data-format-fields]")) {
  startFormatFields(/** @type {HTMLFormElement} */ (form));
}
