/** The submission of the draft as a version; a new bot is named in a dialog first. */
import { part, setText } from "../site/dom.js";
import { reasonOf, SAME_CONTENT } from "./messages.js";

/** @typedef {import("../site/requests.js").Answer} Answer */

export class Submission {
  /**
   * @param {HTMLElement} root contains the dialog that names a new bot
   * @param {object} options
   * @param {import("./draft.js").Draft} options.draft
   * @param {import("./draft-files.js").DraftFiles} options.files
   * @param {import("./messages.js").Messages} options.messages
   * @param {string} options.address to which the draft is sent to become a version
   */
  constructor(root, options) {
    this.options = options;
    /** @type {HTMLDialogElement | null} */
    this.dialog = part(root, "naming");
    this.#listen();
  }

  /** Submit the draft, or ask for the name of a new bot. */
  start() {
    if (this.dialog) this.dialog.showModal();
    else this.#submit({}, (answer) => this.options.messages.isRefused(answer));
  }

  #listen() {
    const form = this.dialog?.querySelector("form");
    form?.addEventListener("submit", (event) => {
      if (/** @type {HTMLButtonElement} */ (event.submitter)?.value !== "submit") return;
      event.preventDefault(); // the dialog stays until the name is accepted
      const { name, description } = Object.fromEntries(new FormData(form));
      const plays = /** @type {HTMLInputElement} */ (form.elements.namedItem("plays_people")).checked;
      this.#submit({ name, description, plays_people: plays }, (answer) => setText(part(form, "naming-error"), reasonOf(answer)));
    });
  }

  /** @param {Record<string, unknown>} naming @param {(answer: Answer) => void} onRefused */
  async #submit(naming, onRefused) {
    const { draft, messages, address, files } = this.options;
    await draft.saving;
    const answer = await draft.request(address, { ...draft.edit(), ...naming });
    if (answer.state === "done") {
      location.assign(answer.body.url + files.fragment);
      return;
    }
    onRefused(answer);
    if (answer.state === "refused" && answer.code === SAME_CONTENT) {
      messages.status(SAME_CONTENT, interpolate(gettext("Already saved as version %s"), [answer.body.number]));
    }
  }
}
