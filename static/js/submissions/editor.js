/**
 * The code editor of the upload page: every `<textarea data-editor="python">` becomes one.
 *
 * The text area stays the form's field and works alone where this script does not run. The editor lives in a
 * shadow root, where its styles are constructed sheets: the page's content security policy forbids inline ones.
 */
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { oneDark } from "@codemirror/theme-one-dark";
import { basicSetup, EditorView } from "codemirror";
import { editorPhrases } from "./editor-phrases.js";

/** Sizes and colours that hold in both themes; custom properties reach into a shadow root. */
const look = EditorView.theme({
  "&": { fontSize: "0.875rem", height: "26rem", background: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--sunk)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--gold-wash) 60%, transparent)" },
});

const isDark = () => document.documentElement.dataset.shownTheme === "dark";

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
  const theme = new Compartment();
  const themed = () => (isDark() ? oneDark : []);
  const label = field.labels?.[0]?.textContent?.trim() ?? field.getAttribute("aria-label") ?? "";
  const view = new EditorView({
    doc: field.value,
    parent: root,
    root,
    extensions: [
      look,
      EditorState.phrases.of(editorPhrases()),
      basicSetup,
      python(),
      indentUnit.of("    "),
      keymap.of([indentWithTab]),
      theme.of(themed()),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) field.value = update.state.doc.toString();
      }),
    ],
  });
  document.addEventListener("themechange", () => view.dispatch({ effects: theme.reconfigure(themed()) }));
  field.addEventListener("change", () => {
    const text = view.state.doc.toString();
    if (field.value !== text) view.dispatch({ changes: { from: 0, to: text.length, insert: field.value } });
  });
  for (const name of field.labels ?? []) name.addEventListener("click", () => view.focus());
  return view;
}

/** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll('textarea[data-editor="python"]')).forEach(attachEditor);
