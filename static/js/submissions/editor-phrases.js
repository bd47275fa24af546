/** The code editor's phrases in the reader's language, keyed by CodeMirror's English ones. */

/** @returns {Record<string, string>} */
export function editorPhrases() {
  return {
    Find: pgettext("editor", "Find"),
    Replace: pgettext("editor", "Replace"),
    next: pgettext("editor", "next"),
    previous: pgettext("editor", "previous"),
    all: pgettext("editor", "all"),
    "match case": pgettext("editor", "match case"),
    regexp: pgettext("editor", "regexp"),
    "by word": pgettext("editor", "whole word"),
    replace: pgettext("editor", "replace"),
    "replace all": pgettext("editor", "replace all"),
    close: pgettext("editor", "close"),
    "current match": pgettext("editor", "current match"),
    "on line": pgettext("editor", "on line"),
    "replaced match on line $": pgettext("editor", "line $: match replaced"),
    "replaced $ matches": pgettext("editor", "replaced $ matches"),
    "Go to line": pgettext("editor", "Go to line"),
    go: pgettext("editor", "go"),
    "Fold line": pgettext("editor", "Fold line"),
    "Unfold line": pgettext("editor", "Unfold line"),
    "Folded lines": pgettext("editor", "Folded lines"),
    "Unfolded lines": pgettext("editor", "Unfolded lines"),
    to: pgettext("editor", "to"),
    "folded code": pgettext("editor", "folded code"),
    unfold: pgettext("editor", "unfold"),
    Completions: pgettext("editor", "Completions"),
    "Selection deleted": pgettext("editor", "Selection deleted"),
    "Control character": pgettext("editor", "Control character"),
  };
}
