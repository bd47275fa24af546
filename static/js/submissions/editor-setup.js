/**
 * The setup of every code editor on the site: Python, the site's colours in both themes, the reader's language.
 *
 * An editor lives in a shadow root, where its styles are constructed style sheets, because the page's content security
 * policy forbids inline styles.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, defaultHighlightStyle, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Facet, Prec } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { editorPhrases } from "./editor-phrases.js";

/** Colours for both themes; custom properties are inherited into a shadow root. */
const colors = EditorView.theme({
  "&": { fontSize: "0.875rem", background: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutter-lint": { width: "1.4em" },
  ".cm-gutters": { background: "var(--sunk)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--gold-wash) 60%, transparent)" },
});

/**
 * Replaces the selection with typed text itself, because Chromium would keep the replaced text's colours as inline
 * styles, which the content security policy forbids.
 */
const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    const { state } = view;
    const { empty, from, to } = state.selection.main;
    if (inputType !== "insertText" || !data || isComposing || empty || state.readOnly) return false;
    event.preventDefault();
    const insert = () => state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const isHandled = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** CodeMirror's basic setup, without what editor-extras.js adds. */
const setup = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
  bracketMatching(),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
];

/** @typedef {NonNullable<import("@codemirror/lint").LintSource>} LintSource finds problems in an editor's text */

/** @type {Facet<LintSource, LintSource | null>} if set, the extras mark its problems */
export const lintSource = Facet.define({ combine: ([source = null]) => source });

const extras = new Compartment();
/** @type {typeof import("./editor-extras.js").extrasFor | null} null until the extras are loaded */
let extrasFor = null;
/** Until then, an empty column keeps the place of the marks, so that the text does not move when they load. */
const unloaded = Prec.low(gutter({ class: "cm-gutter-lint" }));

/** @param {EditorState} state */
function wantedExtras(state) {
  const source = state.facet(lintSource);
  return extrasFor ? extrasFor(source) : source ? unloaded : [];
}

/** A focused editor loads the extras, which would otherwise make every page with an editor heavier. */
const loadingExtras = EditorView.domEventHandlers({
  focus(_event, view) {
    if (!extrasFor || extras.get(view.state) !== extrasFor(view.state.facet(lintSource))) loadExtras(view);
    return false;
  },
});

/** Add search, completion, closing brackets and linting to an editor. If they cannot be loaded, the next focus tries again. @param {EditorView} view */
async function loadExtras(view) {
  const found = await import("./editor-extras.js").catch(() => null);
  if (!found) return;
  extrasFor = found.extrasFor;
  const wanted = wantedExtras(view.state);
  if (extras.get(view.state) !== wanted) view.dispatch({ effects: extras.reconfigure(wanted) });
}

const theme = new Compartment();
const themed = () => (document.documentElement.dataset.shownTheme === "dark" ? oneDark : []);

/**
 * @param {string} label the editor's name for screen readers
 * @returns {import("@codemirror/state").Extension}
 */
export function editorSetup(label) {
  return [
    colors,
    typingOverSelection,
    EditorState.phrases.of(editorPhrases()),
    loadingExtras,
    extras.of([]), // first, because closing brackets handle Backspace before the default keys
    setup,
    pythonLanguage,
    indentUnit.of("    "),
    keymap.of([indentWithTab]),
    theme.of(themed()),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
}

/** Switch an editor to the page's current theme, and to the extras if they are loaded. @param {EditorView} view */
export function followTheme(view) {
  view.dispatch({ effects: [theme.reconfigure(themed()), extras.reconfigure(wantedExtras(view.state))] });
}
