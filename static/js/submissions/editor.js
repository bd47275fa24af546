/**
 * The code editor on the upload page, which replaces every `<textarea data-editor="python">`.
 *
 * The text area remains the form's field, and works on its own if this script does not run.
 */
import { EditorView } from "@codemirror/view";
import { editorSetup, followTheme } from "./editor-setup.js";

const height = EditorView.theme({ "&": { height: "26rem" } });

/** @param {HTMLTextAreaElement} field @returns {HTMLElement} the editor's element, after the field */
function hostAfter(field) {
  const host = document.createElement("div");
  host.className = "code-editor";
  field.after(host);
  field.hidden = true;
  field.required = false; // an empty, hidden required field would block the form silently
  return host;
}

/**
 * Replace a text area with an editor; the field and the editor keep each other up to date.
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
      editorSetup(label),
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
