/** The studio's page for one bot: connects its parts, answers clicks, and shows one pane at a time on phones. */
import { pageData, part } from "../site/dom.js";
import { asksForCheck, CheckReport } from "./check-report.js";
import { CodeEditor } from "./code-editor.js";
import { DraftFiles } from "./draft-files.js";
import { Draft } from "./draft.js";
import { Failures } from "./failures.js";
import { acceptDroppedFiles } from "./file-drop.js";
import { languageService } from "./language-service.js";
import { Messages } from "./messages.js";
import { Runs } from "./runs.js";
import { Submission } from "./submission.js";
import { Versions } from "./versions.js";

/** @typedef {{save: string, run: string, submit: string, unpack: string, lint: string, completions: string}} Urls */
/** @typedef {{files: import("./draft-files.js").SourceFile[], kept: string[], revision: number, game: string, urls: Urls}} StudioData */

/** Open the studio's page. @param {HTMLElement} root studio/studio.html @param {StudioData} data */
function openStudio(root, { files: loaded, kept, revision, urls }) {
  const csrf = /** @type {HTMLInputElement} */ (root.querySelector("input[name=csrfmiddlewaretoken]")).value;
  const host = /** @type {HTMLElement} */ (part(root, "editor"));
  const editor = new CodeEditor(host, {
    onChange: () => files.edited(),
    onRun: () => runs.start(1),
    ...languageService(urls, csrf),
  });
  /** @type {Draft} */
  const draft = new Draft({
    revision,
    address: urls.save,
    csrf,
    text: (path) => editor.text(path),
    onState: (state, reason) => {
      messages.showSaved(state, reason);
      if (state === "changed") failures.draftChanged();
    },
  });
  const messages = new Messages(root, draft);
  const files = new DraftFiles(root, { draft, messages, address: urls.unpack, csrf, editor, onReplace: () => failures.draftChanged() });
  const failures = new Failures(root, editor, files.tabs);
  const check = new CheckReport(root, failures, { onPassed: () => messages.status("passed", gettext("The check has passed.")) });
  const runs = new Runs(root, {
    draft,
    messages,
    address: urls.run,
    csrf,
    onStart: () => {
      check.close();
      failures.mark(false);
      showPane(root, "board");
    },
    onEnd: () => failures.markRun(),
  });
  const versions = new Versions(root, {
    draft,
    messages,
    csrf,
    files,
    onReplace: (button) => {
      showPane(root, "code");
      if (button.closest("[data-part=other-version]")) failures.mark(true);
    },
  });
  const submission = new Submission(root, { draft, messages, address: urls.submit, files });
  files.load(loaded, kept);
  listenToClicks(root, {
    "[data-run]": (button) => runs.start(Number(button.dataset.run)),
    "[data-part=stop]": () => runs.stop(),
    "[data-part=submit]": () => submission.start(),
    "[data-part=overwrite]": () => draft.overwrite(files.tabs.paths),
    "[data-part=add-file]": () => files.askToAdd(),
    "[data-part=remove-file]": () => files.askToRemove(),
    "[data-show]": (button) => showPane(root, button.dataset.show ?? "code"),
    "[data-diff]": (button) => versions.compare(button),
    "[data-restore]": (button) => versions.askToRestore(button),
    "[data-go-line]": (button) => {
      showPane(root, "code");
      failures.goTo(/** @type {HTMLElement} */ (button.closest("[data-fault]")));
      host.scrollIntoView({ block: "nearest", behavior: "instant" });
    },
  });
  acceptDroppedFiles(root, (dropped) => {
    showPane(root, "code");
    files.open(dropped);
  });
  listenToUpload(root, () => draft.accept(draft.revision));
  runs.openBoard();
  // A phone shows either the editor or the cards: the failure that the address asks for must be in one of them.
  const isMarked = failures.mark(true);
  if (!isMarked && asksForCheck() && root.querySelector("[data-part=check-faults] [data-fault]")) showPane(root, "board");
}

/** @param {HTMLElement} root @param {string} name of the pane shown on phones */
function showPane(root, name) {
  root.dataset.pane = name;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-show]"))) {
    button.setAttribute("aria-pressed", String(button.dataset.show === name));
  }
}

/** @param {HTMLElement} root @param {Record<string, (button: HTMLElement) => void>} actions by the buttons' selectors */
function listenToClicks(root, actions) {
  root.addEventListener("click", (event) => {
    for (const [selector, act] of Object.entries(actions)) {
      const button = /** @type {HTMLElement} */ (event.target).closest(selector);
      if (button) act(/** @type {HTMLElement} */ (button));
    }
  });
}

/** Discard unsaved edits on an upload, whose files replace the draft. @param {HTMLElement} root @param {() => void} discard */
function listenToUpload(root, discard) {
  const section = root.querySelector(".studio-upload");
  section?.addEventListener("toggle", () => import("../submissions/upload.js"), { once: true }); // few open it
  const form = /** @type {HTMLFormElement | null} */ (root.querySelector("[data-part=upload]"));
  form?.addEventListener("submit", () => {
    if (!form.elements.namedItem("_question") || form.elements.namedItem("_confirmed")) discard();
  });
}

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-studio]"));
if (root) openStudio(root, pageData("studio-data"));
