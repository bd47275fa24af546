/** The try-it page: sends a form as a program would, and shows what comes back. Without it the browser shows the answer. */
import { part, setText } from "#site/dom.js";

/** @param {HTMLFormElement} form @returns {string} where the request goes: empty parameters are left out */
function addressOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(/** @type {[string, string][]} */ (filled)).toString();
  const path = form.getAttribute("action") ?? "";
  return query ? `${path}?${query}` : path;
}

/** @param {string} text @returns {string} JSON with its lines broken, anything else as it came */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const shown = part(form, "answer");
  const address = addressOf(form);
  if (shown) shown.hidden = false;
  try {
    const answer = await fetch(address, { method: form.method.toUpperCase(), cache: "no-store" });
    setText(shown, `${form.method.toUpperCase()} ${address}\n${answer.status}\n${readable(await answer.text())}`);
  } catch {
    setText(shown, gettext("The site did not answer. Try again."));
  }
}

for (const form of document.querySelectorAll("form[data-operation]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(/** @type {HTMLFormElement} */ (form));
  });
}
