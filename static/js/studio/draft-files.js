/**
 * The draft's files in the editor and its tabs: loaded, added, removed, dropped on the page, or replaced by the server.
 *
 * Invariant: files that the server has sent are not saved again.
 */
import { ask } from "../site/confirmation.js";
import { part, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { FileTabs } from "./file-tabs.js";

const MAIN = "main.py";
const TEXT_FILE = /\.(py|txt|md|json|csv|toml|cfg)$/i;
const ARCHIVE = /\.zip$/i;
const LARGEST_TEXT = 200_000;

/** @typedef {import("../site/requests.js").Answer} Answer */
/** @typedef {{path: string, text: string}} SourceFile */

export class DraftFiles {
  /**
   * @param {HTMLElement} root studio/studio.html
   * @param {object} options
   * @param {import("./code-editor.js").CodeEditor} options.editor
   * @param {import("./draft.js").Draft} options.draft
   * @param {import("./messages.js").Messages} options.messages
   * @param {string} options.address to which an archive is sent, whose files replace the draft
   * @param {string} options.csrf
   * @param {() => void} options.onReplace called when the server has replaced the whole draft
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.editor = options.editor;
    this.draft = options.draft;
    this.isLoading = false;
    this.tabs = new FileTabs(/** @type {HTMLElement} */ (part(root, "files")), (path) => this.#show(path));
  }

  /** @returns {string} the part of the address that opens the shown file; "" for the main file */
  get fragment() {
    return fragmentOf(this.tabs.shown);
  }

  /** Save the shown file soon, because its text has changed in the editor. */
  edited() {
    if (!this.isLoading) this.draft.change(this.editor.path);
  }

  /** @param {SourceFile[]} files @param {string[]} kept paths of files that the editor cannot show */
  load(files, kept) {
    this.isLoading = true;
    for (const { path, text } of files) {
      this.editor.add(path, text);
      this.tabs.add(path);
    }
    const open = files.find(({ path }) => location.hash === fragmentOf(path)); // before the bot was submitted
    this.tabs.show((open ?? files[0])?.path ?? MAIN);
    this.isLoading = false;
    this.#showKept(kept);
  }

  /** @param {string} path */
  #show(path) {
    this.editor.show(path);
    /** @type {HTMLElement} */ (part(this.root, "remove-file")).hidden = path === MAIN;
  }

  /** @param {string[]} paths of files that the editor cannot show */
  #showKept({ length }) {
    const text = ngettext("%s more file cannot be edited here and is kept unchanged.", "%s more files cannot be edited here and are kept unchanged.", length);
    setText(part(this.root, "kept"), length ? interpolate(text, [length]) : "");
  }

  /** @param {string} path @param {string} text */
  #add(path, text) {
    if (!this.tabs.paths.includes(path)) {
      this.editor.add(path, text);
      this.tabs.add(path);
    } else {
      this.editor.replace(path, text);
    }
    this.draft.change(path);
    this.tabs.show(path);
  }

  /** Ask for the name of a new file. */
  askToAdd() {
    const dialog = /** @type {HTMLDialogElement} */ (part(this.root, "file-dialog"));
    const field = /** @type {HTMLInputElement} */ (part(dialog, "file-name"));
    const add = () => {
      const path = field.value.trim();
      if (dialog.returnValue !== "add" || !path) return;
      if (this.tabs.paths.includes(path)) this.tabs.show(path);
      else this.#add(path, "");
    };
    dialog.addEventListener("close", add, { once: true });
    field.value = "";
    dialog.returnValue = "";
    dialog.showModal();
  }

  /** Ask whether to remove the shown file. */
  askToRemove() {
    const path = this.tabs.shown;
    if (path === MAIN) return;
    ask(interpolate(gettext("Remove %s from your draft? You will not be able to restore its text."), [path]), gettext("Remove"), () => {
      this.draft.remove(path);
      this.tabs.remove(path);
      this.editor.remove(path);
    });
  }

  /** Open dropped files: text files become tabs; an archive replaces all files. @param {File[]} files */
  async open(files) {
    const archive = files.find((file) => ARCHIVE.test(file.name));
    if (archive) {
      ask(interpolate(gettext("Open %s? Its files will replace all files in your draft."), [archive.name]), gettext("Open"), () => this.#unpack(archive));
      return;
    }
    const isText = (/** @type {File} */ file) => TEXT_FILE.test(file.name) && file.size <= LARGEST_TEXT;
    const other = files.find((file) => !isText(file));
    if (other) this.options.messages.notice(interpolate(gettext("The editor cannot open %s. Drop a .zip that contains it and main.py."), [other.name]));
    const texts = files.filter(isText);
    const isOnly = files.length === 1 && this.tabs.paths.length === 1;
    for (const file of texts) this.#add(isOnly && file.name.endsWith(".py") ? MAIN : file.name, await file.text());
  }

  /** @param {File} archive */
  async #unpack(archive) {
    const { messages, address, csrf } = this.options;
    await this.draft.save();
    const body = new FormData();
    body.append("file", archive);
    body.append("edit", JSON.stringify({ revision: this.draft.revision }));
    const answer = await send(address, { method: "POST", headers: { "X-CSRFToken": csrf, Accept: "application/json" }, body });
    if (this.replace(answer)) messages.status("opened", interpolate(gettext("%s opened."), [archive.name]));
  }

  /**
   * Show the draft after the server has replaced all of it, or the reason why it did not.
   * @param {Answer} answer
   * @returns {boolean} whether the draft was replaced
   */
  replace(answer) {
    if (this.options.messages.isRefused(answer)) return false;
    /** @type {{files: SourceFile[], kept: string[], revision: number}} */
    const { files, kept, revision } = answer.body;
    this.isLoading = true;
    for (const path of this.tabs.paths.filter((one) => !files.some((file) => file.path === one))) {
      this.tabs.remove(path);
      this.editor.remove(path);
    }
    for (const { path, text } of files) {
      this.editor.replace(path, text);
      this.tabs.add(path);
    }
    this.isLoading = false;
    this.#showKept(kept);
    this.draft.accept(revision);
    this.options.onReplace();
    return true;
  }
}

/** @param {string} path of the open file @returns {string} the part of the address that opens it; "" for the main file */
function fragmentOf(path) {
  return path === MAIN ? "" : `#${path}`;
}
