/**
 * Pages for trying out an API: send a form as a program would, and show the response.
 *
 * A field's `data-in` says where its value goes: `path`, `query` (the default), `body` (JSON) or `form` (multipart).
 */
import { part, setText } from "#site/dom.js";
import { request } from "#site/requests.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {HTMLFormElement} form @param {string} place @returns {Field[]} its fields that are not empty */
function fieldsOf(form, place) {
  const fields = /** @type {Field[]} */ ([...form.querySelectorAll("input[name], textarea[name]")]);
  return fields.filter((field) => (field.dataset.in ?? "query") === place && field.value !== "");
}

/** @param {HTMLFormElement} form @returns {string} the request's URL, without empty parameters */
function addressOf(form) {
  let path = form.getAttribute("action") ?? "";
  for (const field of fieldsOf(form, "path")) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
  const query = new URLSearchParams(fieldsOf(form, "query").map((field) => [field.name, field.value])).toString();
  return query ? `${path}?${query}` : path;
}

/** @param {HTMLFormElement} form @returns {RequestInit} */
function requestOf(form) {
  const method = form.method.toUpperCase();
  /** @type {Record<string, string>} */
  const headers = {};
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("input[data-token]"));
  const csrf = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=csrfmiddlewaretoken]"));
  if (token?.value) headers.Authorization = `Bearer ${token.value.trim()}`;
  else if (csrf && method !== "GET") headers["X-CSRFToken"] = csrf.value;
  const [body] = fieldsOf(form, "body");
  if (body) return { method, headers: { ...headers, "Content-Type": "application/json" }, body: body.value };
  const parts = fieldsOf(form, "form");
  if (!parts.length) return { method, headers };
  const data = new FormData();
  for (const field of parts) {
    const file = field instanceof HTMLInputElement ? field.files?.[0] : null;
    if (file) data.append(field.name, file);
    else data.append(field.name, field.value);
  }
  return { method, headers, body: data };
}

/** @param {string} text @returns {string} indented if it is JSON, else unchanged */
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
  const options = requestOf(form);
  if (shown) shown.hidden = false;
  try {
    const answer = await request(address, { ...options, cache: "no-store" });
    setText(shown, `${options.method} ${address}\n${answer.status}\n${readable(await answer.text())}`);
  } catch {
    setText(shown, gettext("The site did not respond. Try again."));
  }
}

for (const form of document.querySelectorAll("form[data-operation]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(/** @type {HTMLFormElement} */ (form));
  });
}
