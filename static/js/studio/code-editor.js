/**
 * The studio's editor: one view, a state with its own undo history for each file, completion and documentation for the
 * game's state, problems marked while typing, and failures of a run shown at their lines.
 */
import { pythonLanguage } from "@codemirror/lang-python";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, ViewPlugin, WidgetType } from "@codemirror/view";
import { element } from "../site/dom.js";
import { editorSetup, followTheme, lintSource } from "../submissions/editor-setup.js";
import { chainBefore, classOf, stateVariables } from "./state-names.js";

/** @typedef {{line: number, column: number, severity: "error" | "warning", message: string}} Problem */
/** @typedef {{line: number, source: string, message: string, lost: boolean}} Mark a failure of a run or check at a line */
/**
 * @typedef {object} Options
 * @property {() => void} onChange called when the text of the shown file has changed
 * @property {() => void} onRun called when the reader presses the shortcut for a run
 * @property {(source: string) => Promise<Problem[]>} lint
 * @property {() => Promise<import("./state-names.js").StateNames>} names loaded on the first call
 */

const studioTheme = EditorView.theme({
  "&": { height: "100%" },
  ".cm-fault": {
    padding: "0.125rem 0.75rem 0.25rem",
    borderLeft: "0.25rem solid var(--red-text)",
    background: "var(--red-wash)",
    color: "var(--red-text)",
    fontFamily: "var(--sans)",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
    position: "sticky", // in view although a longer line makes the text wider than the editor
    boxSizing: "border-box",
  },
  ".cm-fault[data-lost=false]": { borderColor: "var(--amber-text)", background: "var(--amber-wash)", color: "var(--amber-text)" },
  ".cm-tooltip": { border: "1px solid var(--line-strong)", background: "var(--surface)", color: "var(--ink)", borderRadius: "0.375rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--green)", color: "var(--surface)" },
  ".cm-completionInfo, .cm-known": { maxWidth: "26rem", padding: "0.5rem 0.75rem", fontFamily: "var(--sans)" },
  ".cm-completionInfo p, .cm-known p": { margin: "0.375rem 0 0", whiteSpace: "pre-wrap" },
  ".cm-completionInfo p:first-child, .cm-known p:first-child": { marginTop: "0" },
  ".cm-completionInfo code, .cm-known code": { fontFamily: "var(--mono)" },
  ".cm-known__name": { fontWeight: "600" },
});

class FaultWidget extends WidgetType {
  /** @param {Mark} mark @param {Span | null} span */
  constructor(mark, span) {
    super();
    this.mark = mark;
    this.span = span;
  }

  /** @param {FaultWidget} other */
  eq(other) {
    return other.mark.message === this.mark.message && other.mark.lost === this.mark.lost && other.span === this.span;
  }

  toDOM() {
    const message = element("div", { class: "cm-fault", role: "note", "data-lost": String(this.mark.lost) }, this.mark.message);
    if (this.span) Object.assign(message.style, { left: `${this.span.left}px`, width: `${this.span.width}px` });
    return message;
  }
}

/** @typedef {{left: number, width: number}} Span what is in view of the lines, in pixels from the editor's edge */

/** @type {import("@codemirror/state").StateEffectType<Span>} */
const setSpan = StateEffect.define();

/** Null until it has been measured. */
const visibleSpan = StateField.define({
  create: () => /** @type {Span | null} */ (null),
  update: (span, { effects }) => effects.find((effect) => effect.is(setSpan))?.value ?? span,
});

/** Measures what is in view of the lines: messages wrap there. A change draws them again, because it changes their heights. */
const spanMeter = ViewPlugin.define((view) => {
  const measure = {
    read: () => {
      const left = view.scrollDOM.querySelector(".cm-gutters")?.getBoundingClientRect().width ?? 0;
      return { left, width: view.scrollDOM.clientWidth - left };
    },
    write: (/** @type {Span} */ span) => {
      const known = view.state.field(visibleSpan);
      if (span.width <= 0 || (known?.left === span.left && known.width === span.width)) return;
      queueMicrotask(() => view.dispatch({ effects: setSpan.of(span) })); // an editor cannot change while it measures
    },
  };
  view.requestMeasure(measure);
  return { update: (/** @type {import("@codemirror/view").ViewUpdate} */ update) => update.geometryChanged && view.requestMeasure(measure) };
});

/** @type {import("@codemirror/state").StateEffectType<Mark[]>} */
const setMarks = StateEffect.define();

/** Messages below their lines; they move with the text, and disappear when the line itself changes. */
const marks = StateField.define({
  create: () => Decoration.none,
  update(shown, transaction) {
    let found = shown.map(transaction.changes);
    if (transaction.docChanged) found = found.update({ filter: (from) => !touches(transaction, from) });
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) found = decorations(transaction.state, effect.value);
      if (effect.is(setSpan)) found = withSpan(found, effect.value);
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * @param {import("@codemirror/state").Transaction} transaction
 * @param {number} at offset of a line's end in the new text
 */
function touches(transaction, at) {
  const line = transaction.state.doc.lineAt(Math.min(at, transaction.state.doc.length));
  let touched = false;
  transaction.changes.iterChangedRanges((_fromOld, _toOld, from, to) => (touched ||= from <= line.to && to >= line.from));
  return touched;
}

/** Return whether the line that failed is still in the text. @param {EditorState} state @param {Mark} mark */
function isAt(state, { line, source }) {
  return line >= 1 && line <= state.doc.lines && (!source || state.doc.line(line).text.trim().startsWith(source.trim()));
}

/** @param {EditorState} state @param {Mark[]} wanted */
function decorations(state, wanted) {
  const isFirst = (/** @type {Mark} */ mark, /** @type {number} */ index) => wanted.findIndex(({ line, message }) => line === mark.line && message === mark.message) === index;
  const found = wanted
    .filter((mark, index) => isAt(state, mark) && isFirst(mark, index)) // a run and a check can find the same failure
    .map((mark) => messageAt(state.doc.line(mark.line).to, mark, state.field(visibleSpan)));
  return Decoration.set(found, true);
}

/** @param {number} at the end of a line @param {Mark} mark @param {Span | null} span */
function messageAt(at, mark, span) {
  return Decoration.widget({ widget: new FaultWidget(mark, span), block: true, side: 1 }).range(at);
}

/** @param {import("@codemirror/view").DecorationSet} shown @param {Span} span */
function withSpan(shown, span) {
  const found = [];
  for (const each = shown.iter(); each.value; each.next()) found.push(messageAt(each.from, each.value.spec.widget.mark, span));
  return Decoration.set(found);
}

/** @param {string} doc a docstring @returns {HTMLElement[]} its paragraphs without line breaks, except before indented lines */
function documentation(doc) {
  const paragraphs = doc.split(/\n\s*\n/).filter(Boolean);
  return paragraphs.map((text) => element("p", {}, ...text.replace(/\n(?=\S)/g, " ").split(/``(.+?)``/).map((part, index) => (index % 2 ? element("code", {}, part) : part))));
}

export class CodeEditor {
  /** @param {HTMLElement} host @param {Options} options */
  constructor(host, options) {
    this.options = options;
    /** @type {Map<string, EditorState>} of the files that are not shown */
    this.states = new Map();
    this.path = "";
    /** @type {import("../submissions/editor-setup.js").LintSource} */
    this.lint = (view) => this.#lint(view);
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({ parent: root, root, state: this.#state("") });
    document.addEventListener("themechange", () => followTheme(this.view));
  }

  /** @param {string} text */
  #state(text) {
    return EditorState.create({ doc: text, extensions: this.#extensions() });
  }

  #extensions() {
    const { onChange, onRun } = this.options;
    const run = () => {
      onRun();
      return true;
    };
    return [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
      studioTheme,
      editorSetup(gettext("Source")),
      pythonLanguage.data.of({ autocomplete: (/** @type {any} */ context) => this.#complete(context) }),
      hoverTooltip((view, at) => this.#describe(view, at)),
      EditorView.domEventHandlers({ focus: () => void this.options.names() }), // before somebody types
      lintSource.of(this.lint),
      marks,
      visibleSpan,
      spanMeter,
      EditorView.updateListener.of((update) => update.docChanged && onChange()),
    ];
  }

  // --- files ---------------------------------------------------------------------------------

  /** @param {string} path @param {string} text */
  add(path, text) {
    this.states.set(path, this.#state(text));
  }

  /** @param {string} path */
  remove(path) {
    this.states.delete(path);
  }

  /** @param {string} path */
  show(path) {
    if (path === this.path) return;
    if (this.path && this.states.has(this.path)) this.states.set(this.path, this.view.state);
    this.path = path;
    const state = this.states.get(path);
    if (state) this.view.setState(state);
    followTheme(this.view);
  }

  /** @param {string} path @returns {string} */
  text(path) {
    return (path === this.path ? this.view.state : this.states.get(path))?.doc.toString() ?? "";
  }

  /** Replace the text of a file in a single undoable change. @param {string} path @param {string} text */
  replace(path, text) {
    const state = path === this.path ? this.view.state : this.states.get(path);
    if (!state) {
      this.add(path, text);
      return;
    }
    const change = { changes: { from: 0, to: state.doc.length, insert: text } };
    if (path === this.path) this.view.dispatch(change);
    else this.states.set(path, state.update(change).state);
  }

  // --- failures ------------------------------------------------------------------------------

  /** @param {string} path @param {Mark[]} found */
  mark(path, found) {
    const effect = { effects: setMarks.of(found) };
    const state = this.states.get(path);
    if (path === this.path) this.view.dispatch(effect);
    else if (state) this.states.set(path, state.update(effect).state);
  }

  /** @param {string} path @param {Mark} mark @returns {boolean} whether the line that failed is still in this file */
  isAt(path, mark) {
    const state = path === this.path ? this.view.state : this.states.get(path);
    return state !== undefined && isAt(state, mark);
  }

  /** Scroll the editor, but not the page, to a line. @param {number} line counted from 1 @param {boolean} takesFocus */
  goTo(line, takesFocus) {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: from } });
    this.view.requestMeasure({
      read: ({ scrollDOM }) => this.view.lineBlockAt(from).top - scrollDOM.clientHeight / 2,
      write: (top, { scrollDOM }) => scrollDOM.scrollTo({ top, left: 0 }),
    });
    if (takesFocus) this.view.focus();
  }

  // --- problems, completion, documentation ---------------------------------------------------

  /** @param {EditorView} view */
  async #lint(view) {
    if (!this.path.endsWith(".py")) return [];
    const { state } = view; // typing in the meantime would shift positions
    const { doc } = state;
    const problems = await this.options.lint(doc.toString());
    return problems.map(({ line, column, severity, message }) => {
      const shown = doc.line(Math.min(line, doc.lines));
      const from = Math.min(shown.from + column, shown.to);
      const to = state.wordAt(from)?.to ?? Math.min(from + 1, shown.to);
      return { from, to, severity, message };
    });
  }

  /** @param {import("@codemirror/autocomplete").CompletionContext} context */
  async #complete(context) {
    const line = context.state.doc.lineAt(context.pos);
    const chain = chainBefore(line.text.slice(0, context.pos - line.from));
    const known = chain && classOf(await this.options.names(), chain.path, stateVariables(context.state.doc.toString()));
    if (!chain || !known) return null;
    return {
      from: context.pos - chain.typed.length,
      validFor: /^\w*$/,
      options: known.members.map(({ name, kind, signature, doc }) => ({
        label: name,
        type: kind,
        detail: signature,
        info: doc ? () => element("div", {}, ...documentation(doc)) : undefined,
        boost: name.startsWith("_") ? -50 : 0,
      })),
    };
  }

  /** @param {EditorView} view @param {number} at */
  async #describe({ state }, at) {
    const word = state.wordAt(at);
    if (!word) return null;
    const names = await this.options.names();
    const line = state.doc.lineAt(at);
    const variables = stateVariables(state.doc.toString());
    const path = chainBefore(line.text.slice(0, word.to - line.from));
    const name = state.sliceDoc(word.from, word.to);
    const described = path?.typed === name ? classOf(names, path.path, variables) : null;
    const member = described?.members.find((one) => one.name === name);
    const own = path?.typed === name ? null : classOf(names, [name], variables);
    if (!member && !own) return null;
    const title = element("p", {}, element("code", { class: "cm-known__name" }, member ? `${name}${member.signature}` : `${name}: ${own?.name}`));
    const paragraphs = documentation(member ? member.doc : (own?.doc ?? ""));
    return { pos: word.from, end: word.to, create: () => ({ dom: element("div", { class: "cm-known" }, title, ...paragraphs) }) };
  }
}
