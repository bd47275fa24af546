/** The studio: editor, draft, runs, versions and checks of one bot. */
import { loadGame } from "../matches/game-view.js";
import { ask } from "../site/confirmation.js";
import { pageData, part, prefersReducedMotion, setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { asksForCheck, CheckReport } from "./check-report.js";
import { CodeEditor } from "./code-editor.js";
import { Draft } from "./draft.js";
import { Failures } from "./failures.js";
import { FileTabs } from "./files.js";
import { Output } from "./output.js";
import { Picker } from "./picker.js";
import { RunBoard } from "./run-board.js";

const MAIN = "main.py";
const TEXT_FILE = /\.(py|txt|md|json|csv|toml|cfg)$/i;
const ARCHIVE = /\.zip$/i;
const LARGEST_TEXT = 200_000;
const SAME_CONTENT = "same_content"; // the code of a refusal: a version has the same files
/** @type {import("./state-names.js").StateNames} */
const NO_NAMES = { state: "", classes: {} };

/** @typedef {import("../site/requests.js").Answer} Answer */
/** @typedef {{path: string, text: string}} SourceFile */
/** @typedef {{files: SourceFile[], kept: string[], revision: number, game: string, urls: Record<string, string>}} StudioData */

class Studio {
  /** @param {HTMLElement} root studio/studio.html @param {StudioData} data */
  constructor(root, data) {
    this.root = root;
    this.urls = data.urls;
    this.csrf = /** @type {HTMLInputElement} */ (root.querySelector("input[name=csrfmiddlewaretoken]")).value;
    /** @type {Promise<import("./state-names.js").StateNames> | null} */
    this.names = null;
    this.editor = new CodeEditor(this.#part("editor"), {
      onChange: () => !this.isLoading && this.draft.change(this.editor.path),
      onRun: () => this.run(1),
      lint: (source) => this.#lint(source),
      names: () => this.#stateNames(),
    });
    this.draft = new Draft({
      revision: data.revision,
      address: this.urls.save,
      csrf: this.csrf,
      text: (path) => this.editor.text(path),
      onState: (state, reason) => this.#showSaved(state, reason),
    });
    this.tabs = new FileTabs(this.#part("files"), (path) => this.#showFile(path));
    this.failures = new Failures(root, this.editor, this.tabs);
    this.check = new CheckReport(root, this.failures, { onPassed: () => this.#status("passed", gettext("The check has passed.")) });
    this.picker = new Picker(/** @type {HTMLDetailsElement} */ (part(root, "picker")));
    this.output = new Output(this.#part("output"), part(root, "no-output"), (turn) => this.board?.go(turn));
    /** @type {RunBoard | null} */
    this.board = null;
    this.isLoading = false;
    this.isStarting = false;
    this.#load(data.files);
    this.#showKept(data.kept);
    this.#listen();
    this.#openBoard();
    // A phone shows either the editor or the cards: the failure that the address asks for must be in one of them.
    const isMarked = this.failures.mark(true);
    if (!isMarked && asksForCheck() && root.querySelector("[data-part=check-faults] [data-fault]")) this.#showPane("board");
  }

  /** @template {HTMLElement} T @param {string} name @returns {T} */
  #part(name) {
    return /** @type {T} */ (part(this.root, name));
  }

  // --- files ---------------------------------------------------------------------------------

  /** @param {SourceFile[]} files */
  #load(files) {
    this.isLoading = true;
    for (const { path, text } of files) {
      this.editor.add(path, text);
      this.tabs.add(path);
    }
    const open = files.find(({ path }) => location.hash === fragmentOf(path)); // before the bot was submitted
    this.tabs.show((open ?? files[0])?.path ?? MAIN);
    this.isLoading = false;
  }

  /** @param {string} path */
  #showFile(path) {
    this.editor.show(path);
    this.#part("remove-file").hidden = path === MAIN;
  }

  /** @param {string[]} paths of files that the editor cannot show */
  #showKept({ length }) {
    const text = ngettext("%s more file cannot be edited here and is kept unchanged.", "%s more files cannot be edited here and are kept unchanged.", length);
    setText(part(this.root, "kept"), length ? interpolate(text, [length]) : "");
  }

  /** @param {string} path @param {string} text */
  #addFile(path, text) {
    if (!this.tabs.paths.includes(path)) {
      this.editor.add(path, text);
      this.tabs.add(path);
    } else {
      this.editor.replace(path, text);
    }
    this.draft.change(path);
    this.tabs.show(path);
  }

  #askForFile() {
    const dialog = /** @type {HTMLDialogElement} */ (this.#part("file-dialog"));
    const field = /** @type {HTMLInputElement} */ (part(dialog, "file-name"));
    const add = () => {
      const path = field.value.trim();
      if (dialog.returnValue !== "add" || !path) return;
      if (this.tabs.paths.includes(path)) this.tabs.show(path);
      else this.#addFile(path, "");
    };
    dialog.addEventListener("close", add, { once: true });
    field.value = "";
    dialog.returnValue = "";
    dialog.showModal();
  }

  #askToRemoveFile() {
    const path = this.tabs.shown;
    if (path === MAIN) return;
    ask(interpolate(gettext("Remove %s from your draft? You will not be able to restore its text."), [path]), gettext("Remove"), () => {
      this.draft.remove(path);
      this.tabs.remove(path);
      this.editor.remove(path);
    });
  }

  /** Accept dropped files: text files become tabs; an archive replaces all files. @param {DragEvent} event */
  async #drop(event) {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the editor would insert the file's text
    this.#showPane("code");
    const archive = files.find((file) => ARCHIVE.test(file.name));
    if (archive) {
      ask(interpolate(gettext("Open %s? Its files will replace all files in your draft."), [archive.name]), gettext("Open"), () => this.#unpack(archive));
      return;
    }
    const isText = (/** @type {File} */ file) => TEXT_FILE.test(file.name) && file.size <= LARGEST_TEXT;
    const other = files.find((file) => !isText(file));
    if (other) this.#notice(interpolate(gettext("The editor cannot open %s. Drop a .zip that contains it and main.py."), [other.name]));
    const texts = files.filter(isText);
    const isOnly = files.length === 1 && this.tabs.paths.length === 1;
    for (const file of texts) this.#addFile(isOnly && file.name.endsWith(".py") ? MAIN : file.name, await file.text());
  }

  /** @param {File} archive */
  async #unpack(archive) {
    await this.draft.save();
    const body = new FormData();
    body.append("file", archive);
    body.append("edit", JSON.stringify({ revision: this.draft.revision }));
    const answer = await send(this.urls.unpack, { method: "POST", headers: { "X-CSRFToken": this.csrf, Accept: "application/json" }, body });
    if (this.#replaceFiles(answer)) this.#status("opened", interpolate(gettext("%s opened."), [archive.name]));
  }

  // --- saving --------------------------------------------------------------------------------

  /** @param {import("./draft.js").SaveState} state @param {string} reason */
  #showSaved(state, reason) {
    const texts = {
      saved: gettext("Draft saved"),
      changed: gettext("Not saved yet"),
      saving: gettext("Saving…"),
      away: gettext("Not saved: the site cannot be reached"),
      conflict: gettext("Not saved"),
      refused: gettext("Not saved"),
    };
    this.#status(state, texts[state]);
    if (state === "changed") this.failures.draftChanged();
    if (reason) this.#notice(reason);
    else if (state === "saved") this.#notice("");
  }

  /** @param {string} code @param {string} text beside the title */
  #status(code, text) {
    this.#part("saved").dataset.state = code;
    setText(part(this.root, "saved"), text);
  }

  /** @param {string} text "" hides it @param {string} [code] of the refusal */
  #notice(text, code = "") {
    const notice = this.#part("notice");
    setText(part(notice, "notice-text"), text);
    notice.hidden = text === "";
    notice.dataset.state = code;
    notice.classList.toggle("error", code !== SAME_CONTENT);
    this.#part("overwrite").hidden = !this.draft.inConflict;
  }

  /** Report a request that has failed. @param {Answer} answer */
  #isRefused(answer) {
    if (answer.state !== "done") this.#notice(reasonOf(answer), answer.state === "refused" ? answer.code : "");
    return answer.state !== "done";
  }

  // --- problems, names -----------------------------------------------------------------------

  /** @param {string} source */
  async #lint(source) {
    const answer = await send(this.urls.lint, this.#post({ source }));
    return answer.state === "done" ? answer.body.problems : [];
  }

  /** Load the state's names on first use; if that fails, on the next one. */
  #stateNames() {
    this.names ??= send(this.urls.completions, {}, { tries: 3 }).then((answer) => {
      if (answer.state === "done") return answer.body;
      this.names = null;
      return NO_NAMES;
    });
    return this.names;
  }

  /** @param {unknown} body @returns {RequestInit} */
  #post(body) {
    return {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.csrf, Accept: "application/json" },
      body: JSON.stringify(body),
    };
  }

  // --- runs ----------------------------------------------------------------------------------

  /** @param {number} games */
  async run(games) {
    if (this.isStarting) return;
    this.isStarting = true;
    this.#busy(true);
    await this.draft.saving;
    const body = { ...this.draft.edit(), opponents: this.picker.opponents, games, settings: this.picker.settings };
    const answer = await this.draft.request(this.urls.run, body);
    this.isStarting = false;
    this.#busy(false);
    if (this.#isRefused(answer)) return;
    this.#part("board").innerHTML = answer.body.html; // from our own template
    this.#part("faults").replaceChildren();
    setText(part(this.root, "runs-use"), answer.body.use);
    this.check.close();
    this.failures.mark(false);
    this.#showPane("board");
    this.#part("board").parentElement?.scrollTo({ top: 0 });
    await this.#openBoard();
    this.#showDisplay();
  }

  /**
   * Bring the board above the controls, which stick to the bottom edge of a phone's screen, where the whole page
   * scrolls.
   */
  #showDisplay() {
    this.root.querySelector("[data-run-board] [data-part=display]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    for (const button of this.root.querySelectorAll("[data-run]")) button.toggleAttribute("disabled", isBusy);
  }

  async #openBoard() {
    this.board?.close();
    this.board = null;
    const root = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-run-board]"));
    if (!root) return;
    const game = await loadGame(root);
    this.board = new RunBoard(root, game, this.output, { onEnd: () => this.#ended(root) });
    this.#part("stop").hidden = !this.board.isOpen;
  }

  /** @param {HTMLElement} board */
  async #ended(board) {
    this.#part("stop").hidden = true;
    // With the version whose check is shown, because the check may have found the same failures.
    const answer = await send(`${board.dataset.reportUrl}${location.search}`, {}, { tries: 3 });
    if (answer.state !== "done" || !board.isConnected) return;
    this.#part("faults").innerHTML = answer.body.faults; // from our own template
    setText(part(this.root, "runs-use"), answer.body.use);
    this.failures.markRun();
    this.#showDisplay();
    const failure = this.#part("faults").firstElementChild;
    if (!failure) return;
    // Last, because if they do not fit together, the failure matters more.
    failure.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "instant" : "smooth" });
  }

  async #stop() {
    const board = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-run-board]"));
    if (board) await send(board.dataset.stopUrl ?? "", this.#post({}), { tries: 3 });
  }

  // --- versions ------------------------------------------------------------------------------

  /** @param {HTMLElement} button */
  async #compare(button) {
    await this.draft.save();
    const answer = await send(button.dataset.diff ?? "", {}, { tries: 2 });
    if (this.#isRefused(answer)) return;
    const dialog = /** @type {HTMLDialogElement} */ (this.#part("diff"));
    dialog.innerHTML = answer.body; // from our own template
    dialog.showModal();
  }

  /** Ask first if files may be removed that undo cannot restore. @param {HTMLElement} button */
  #askToRestore(button) {
    const restore = () => this.#restore(button);
    if (this.tabs.paths.length === 1) restore();
    else ask(interpolate(gettext("Restore version %s? It will replace all files in your draft."), [button.dataset.version]), gettext("Restore"), restore);
  }

  /** @param {HTMLElement} button */
  async #restore(button) {
    await this.draft.save();
    const answer = await send(button.dataset.restore ?? "", this.#post({ revision: this.draft.revision }));
    if (!this.#replaceFiles(answer)) return;
    this.#status("restored", interpolate(gettext("Version %s restored. To get your text back, use Undo in the editor."), [button.dataset.version]));
    this.#showPane("code");
    if (button.closest("[data-part=other-version]")) this.failures.mark(true);
  }

  /**
   * Show the draft after the server has replaced all of it, or the reason why it did not.
   * @param {Answer} answer
   * @returns {boolean} whether the draft was replaced
   */
  #replaceFiles(answer) {
    if (this.#isRefused(answer)) return false;
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
    this.failures.draftChanged();
    return true;
  }

  // --- submitting ----------------------------------------------------------------------------

  submit() {
    const dialog = /** @type {HTMLDialogElement | null} */ (part(this.root, "naming"));
    if (!dialog) {
      this.#submit({}, (answer) => this.#isRefused(answer));
      return;
    }
    dialog.showModal();
  }

  /** @param {Record<string, unknown>} naming @param {(answer: Answer) => void} onRefused */
  async #submit(naming, onRefused) {
    await this.draft.saving;
    const answer = await this.draft.request(this.urls.submit, { ...this.draft.edit(), ...naming });
    if (answer.state === "done") {
      location.assign(answer.body.url + fragmentOf(this.tabs.shown));
      return;
    }
    onRefused(answer);
    if (answer.state === "refused" && answer.code === SAME_CONTENT) {
      this.#status(SAME_CONTENT, interpolate(gettext("Already saved as version %s"), [answer.body.number]));
    }
  }

  // --- the page ------------------------------------------------------------------------------

  /** @param {string} name of the pane shown on phones */
  #showPane(name) {
    this.root.dataset.pane = name;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-show]"))) {
      button.setAttribute("aria-pressed", String(button.dataset.show === name));
    }
  }

  #listen() {
    /** @type {Record<string, (button: HTMLElement) => void>} */
    const actions = {
      "[data-run]": (button) => this.run(Number(button.dataset.run)),
      "[data-part=stop]": () => this.#stop(),
      "[data-part=submit]": () => this.submit(),
      "[data-part=overwrite]": () => this.draft.overwrite(this.tabs.paths),
      "[data-part=add-file]": () => this.#askForFile(),
      "[data-part=remove-file]": () => this.#askToRemoveFile(),
      "[data-show]": (button) => this.#showPane(button.dataset.show ?? "code"),
      "[data-diff]": (button) => this.#compare(button),
      "[data-restore]": (button) => this.#askToRestore(button),
      "[data-go-line]": (button) => {
        this.#showPane("code");
        this.failures.goTo(/** @type {HTMLElement} */ (button.closest("[data-fault]")));
        this.#part("editor").scrollIntoView({ block: "nearest", behavior: "instant" });
      },
    };
    this.root.addEventListener("click", (event) => {
      for (const [selector, act] of Object.entries(actions)) {
        const button = /** @type {HTMLElement} */ (event.target).closest(selector);
        if (button) act(/** @type {HTMLElement} */ (button));
      }
    });
    this.#listenToDrops();
    this.#listenToNaming();
    this.#listenToUpload();
  }

  /**
   * Accept files anywhere on the page, except for drop zones of forms: elsewhere the browser would open the file
   * instead.
   */
  #listenToDrops() {
    const isOurs = (/** @type {DragEvent} */ event) =>
      event.dataTransfer?.types.includes("Files") && !(/** @type {HTMLElement} */ (event.target).closest?.("[data-dropzone]"));
    const mark = (/** @type {boolean} */ isOver) => this.root.toggleAttribute("data-dragged-over", isOver);
    document.addEventListener("dragover", (event) => {
      mark(Boolean(isOurs(event)));
      if (isOurs(event)) event.preventDefault();
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
    const drop = (/** @type {DragEvent} */ event) => {
      mark(false);
      if (isOurs(event)) this.#drop(event);
    };
    document.addEventListener("drop", drop, { capture: true });
  }

  /** Discard unsaved edits on an upload, whose files replace the draft. */
  #listenToUpload() {
    const section = this.root.querySelector(".studio-upload");
    section?.addEventListener("toggle", () => import("../submissions/upload.js"), { once: true }); // few open it
    const form = /** @type {HTMLFormElement | null} */ (this.root.querySelector("[data-part=upload]"));
    form?.addEventListener("submit", () => {
      if (!form.elements.namedItem("_question") || form.elements.namedItem("_confirmed")) this.draft.accept(this.draft.revision);
    });
  }

  #listenToNaming() {
    const dialog = /** @type {HTMLDialogElement | null} */ (part(this.root, "naming"));
    const form = dialog?.querySelector("form");
    form?.addEventListener("submit", (event) => {
      if (/** @type {HTMLButtonElement} */ (event.submitter)?.value !== "submit") return;
      event.preventDefault(); // the dialog stays until the name is accepted
      const { name, description } = Object.fromEntries(new FormData(form));
      const plays = /** @type {HTMLInputElement} */ (form.elements.namedItem("plays_people")).checked;
      this.#submit({ name, description, plays_people: plays }, (answer) => setText(part(form, "naming-error"), reasonOf(answer)));
    });
  }
}

/** @param {string} path of the open file @returns {string} the part of the address that opens it; "" for the main file */
function fragmentOf(path) {
  return path === MAIN ? "" : `#${path}`;
}

/** @param {Answer} answer that is not "done" */
function reasonOf(answer) {
  return answer.state === "refused" ? answer.reason : gettext("The site cannot be reached. Try again.");
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-studio]"));
if (root) new Studio(root, pageData("studio-data"));
