/** The parts of an editor that are needed only once somebody works in it: search, completion, closing brackets, linting. Loaded on first use. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { globalCompletion, localCompletionSource } from "@codemirror/lang-python";
import { lintGutter, linter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import "./editor-setup.js"; // loaded already; without this, the two would share an extra chunk

const LINT_DELAY = 500;

const always = [
  closeBrackets(),
  autocompletion(),
  highlightSelectionMatches(),
  EditorState.languageData.of(() => [{ autocomplete: localCompletionSource }, { autocomplete: globalCompletion }]),
  keymap.of([...closeBracketsKeymap, ...searchKeymap, ...completionKeymap]),
];

/** @typedef {import("./editor-setup.js").LintSource} LintSource */

/** @type {WeakMap<LintSource, import("@codemirror/state").Extension>} the same source always has the same extras */
const linting = new WeakMap();

/** @param {LintSource | null} source @returns {import("@codemirror/state").Extension} */
export function extrasFor(source) {
  if (!source) return always;
  const known = linting.get(source) ?? [always, Prec.low(lintGutter()), linter(source, { delay: LINT_DELAY }), keymap.of(lintKeymap)];
  linting.set(source, known);
  return known;
}
