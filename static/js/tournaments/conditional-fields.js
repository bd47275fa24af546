/**
 * Show fields only for certain values of another field of the form. On the field's container:
 * data-if-field: the other field's name; data-if-values: its values for which the container is shown;
 * data-omit-hidden: while hidden, the inputs are not sent, so that neither the browser nor the server refuses them.
 */

/** @param {HTMLFormElement} form */
function startConditionalFields(form) {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-if-field]"));

  function show() {
    const chosen = new FormData(form);
    for (const part of parts) {
      const { ifField = "", ifValues = "", omitHidden } = part.dataset;
      part.hidden = !ifValues.split(" ").includes(String(chosen.get(ifField)));
      for (const input of omitHidden === undefined ? [] : part.querySelectorAll("input")) input.disabled = part.hidden;
    }
  }

  form.addEventListener("change", show);
  window.addEventListener("pageshow", show); // the back/forward cache restores the fields' values
  show();
}

for (const form of document.querySelectorAll("form[data-conditional-fields]")) {
  startConditionalFields(/** @type {HTMLFormElement} */ (form));
}
