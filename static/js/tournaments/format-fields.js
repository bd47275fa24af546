/** The form of a tournament: shows the fields that the chosen format and the chosen start have. */

/** @param {HTMLFormElement} form */
function startFormatFields(form) {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-formats], [data-starts]"));

  function show() {
    const chosen = new FormData(form);
    for (const one of parts) {
      const { formats, starts } = one.dataset;
      const wanted = String(chosen.get(formats === undefined ? "start" : "format"));
      one.hidden = !(formats ?? starts ?? "").split(" ").includes(wanted);
      // What is not asked is not sent: the server would refuse a time that the chosen start does not have.
      for (const field of starts === undefined ? [] : one.querySelectorAll("input")) field.disabled = one.hidden;
    }
  }

  form.addEventListener("change", show);
  window.addEventListener("pageshow", show); // a page from the browser's memory has its answers back
  show();
}

for (const form of document.querySelectorAll("form[data-format-fields]")) {
  startFormatFields(/** @type {HTMLFormElement} */ (form));
}
