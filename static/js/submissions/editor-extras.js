/** What an editor needs only once somebody works in it: search, completion, closing brackets. Loaded on first use. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { globalCompletion, localCompletionSource } from "@codemirror/lang-python";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import "./editor-look.js"; // loaded already; without this, the two would share an extra chunk

export const extras = [
  closeBrackets(),
  autocompletion(),
  highlightSelectionMatches(),
  EditorState.languageData.of(() => [{ autocomplete: localCompletionSource }, { autocomplete: globalCompletion }]),
  keymap.of([...closeBracketsKeymap, ...searchKeymap, ...completionKeymap]),
];
