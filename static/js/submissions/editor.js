/**
 * The code editor of the upload page: every `<textarea data-editor="python">` becomes one.
 *
 * The text area stays the form's field and works alone where this script does not run.
 */
import { EditorView } from "codemirror";
import { editorLook, followTheme } from "./editor-look.js";

const height = EditorView.theme({ "&": { height: "26rem" } });

/** @param {HTMLTextAreaElement} field @returns {HTMLElement} the editor's element, after the field */
function hostAfter(field) {
  const host = document.createElement("div");
  host.className = "code-editor";
  field.after(host);
  field.hidden = true;
  field.required = false; // a hidden field that lacks a value would stop the form without a word
  return host;
}

/**
 * Replace a text area by an editor that keeps the field's value up to date, and is kept up to date by it.
 * @param {HTMLTextAreaElement} field
 * @returns {EditorView}
 */
export function attachEditor(field) {
  const root = hostAfter(field).attachShadow({ mode: "open" });
  const label = field.labels?.[0]?.textContent?.trim() ?? field.getAttribute("aria-label") ?? "";
  const view = new EditorView({
    doc: field.value,
    parent: root,
    root,
    extensions: [
      height,
      editorLook(label),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) field.value = update.state.doc.toString();
      }),
    ],
  });
  document.addEventListener("themechange", () => followTheme(view));
  field.addEventListener("change", () => {
    const text = view.state.doc.toString();
    if (field.value !== text) view.dispatch({ changes: { from: 0, to: text.length, insert: field.value } });
  });
  for (const name of field.labels ?? []) name.addEventListener("click", () => view.focus());
  return view;
}

/** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll('textarea[data-editor="python"]')).forEach(attachEditor);
