/**
 * The code editor of the upload page: every `<textarea data-editor="python">` becomes one.
 *
 * The text area stays the form's field and works alone where this script does not run. The editor lives in a
 * shadow root, where its styles are constructed sheets: the page's content security policy forbids inline ones.
 */
import { basicSetup, EditorView } from "codemirror";
import { python } from "@codemirror/lang-python";
import { oneDark } from "@codemirror/theme-one-dark";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Replace a text area by an editor that keeps the field's value up to date. */
export function attachEditor(field) {
  const host = document.createElement("div");
  host.className = "code-editor";
  const root = host.attachShadow({ mode: "open" });
  field.after(host);
  field.hidden = true;
  const label = field.labels?.[0]?.textContent.trim() ?? field.getAttribute("aria-label") ?? "";
  return new EditorView({
    doc: field.value,
    parent: root,
    root,
    extensions: [
      basicSetup,
      python(),
      dark.matches ? oneDark : [],
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) field.value = update.state.doc.toString();
      }),
    ],
  });
}

document.querySelectorAll('textarea[data-editor="python"]').forEach(attachEditor);
