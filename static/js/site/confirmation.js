/** Confirmation before a form is sent: its hidden field `_question`, as rendered by `{% confirm %}`. */

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter the button that was pressed
 * @returns {boolean} whether the reader is asked first; the form is sent when they agree
 */
export function asksForConfirmation(form, submitter) {
  const question = hidden(form, "_question");
  if (!question || hidden(form, "_confirmed")) return false;
  const send = () => {
    const confirmed = Object.assign(document.createElement("input"), { type: "hidden", name: "_confirmed", value: "yes" });
    form.append(confirmed);
    if (!form.isConnected) document.body.append(form); // its part of the page has been replaced
    form.requestSubmit(submitter?.isConnected ? submitter : null);
  };
  ask(question.value, submitter?.textContent?.trim() || gettext("Yes"), send, question.dataset.no);
  return true;
}

/** Ask again after the page was restored from the back/forward cache. @param {HTMLFormElement} form */
export function resetConfirmation(form) {
  hidden(form, "_confirmed")?.remove();
}

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLInputElement | null} */
function hidden(form, name) {
  return form.querySelector(`input[name="${name}"]`);
}

/**
 * Ask in a dialog, and call `agreed` once the reader agrees.
 * @param {string} question
 * @param {string} yes label of the button
 * @param {() => void} agreed
 * @param {string} [no] label of the button that only closes the dialog
 */
export function ask(question, yes, agreed, no = gettext("Cancel")) {
  const dialog = document.createElement("dialog");
  dialog.className = "confirm";
  dialog.setAttribute("aria-labelledby", "confirm-question");
  const text = Object.assign(document.createElement("p"), { id: "confirm-question", textContent: question });
  const back = Object.assign(document.createElement("button"), { className: "button", textContent: no });
  const sure = Object.assign(document.createElement("button"), { className: "button button--danger", textContent: yes });
  sure.dataset.part = "yes";
  const buttons = Object.assign(document.createElement("div"), { className: "form__actions" });
  buttons.append(back, sure);
  dialog.append(text, buttons);
  dialog.addEventListener("close", () => dialog.remove());
  back.addEventListener("click", () => dialog.close());
  sure.addEventListener("click", () => {
    dialog.close();
    agreed();
  });
  document.body.append(dialog);
  dialog.showModal();
}
