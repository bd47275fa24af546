/** The bot's versions: compared with the draft, and restored as the draft. */
import { ask } from "../site/confirmation.js";
import { part } from "../site/dom.js";
import { send } from "../site/requests.js";
import { jsonPost } from "./json-post.js";

export class Versions {
  /**
   * @param {HTMLElement} root contains the dialog of differences in studio/studio.html
   * @param {object} options
   * @param {import("./draft.js").Draft} options.draft
   * @param {import("./draft-files.js").DraftFiles} options.files
   * @param {import("./messages.js").Messages} options.messages
   * @param {string} options.csrf
   * @param {(button: HTMLElement) => void} options.onReplace called with the pressed button when a version has been restored
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
  }

  /** @param {HTMLElement} button */
  async compare(button) {
    await this.options.draft.save();
    const answer = await send(button.dataset.diff ?? "", {}, { tries: 2 });
    if (this.options.messages.isRefused(answer)) return;
    const dialog = /** @type {HTMLDialogElement} */ (part(this.root, "diff"));
    dialog.innerHTML = answer.body; // from our own template
    dialog.showModal();
  }

  /** Ask first if files may be removed that undo cannot restore. @param {HTMLElement} button */
  askToRestore(button) {
    const restore = () => this.#restore(button);
    if (this.options.files.tabs.paths.length === 1) restore();
    else ask(interpolate(gettext("Restore version %s? It will replace all files in your draft."), [button.dataset.version]), gettext("Restore"), restore);
  }

  /** @param {HTMLElement} button */
  async #restore(button) {
    const { draft, messages, csrf, files, onReplace } = this.options;
    await draft.save();
    const answer = await send(button.dataset.restore ?? "", jsonPost(csrf, { revision: draft.revision }));
    if (!files.replace(answer)) return;
    messages.status("restored", interpolate(gettext("Version %s restored. To get your text back, use Undo in the editor."), [button.dataset.version]));
    onReplace(button);
  }
}
