/** The studio's messages: the status beside the title, and the notice below it. */
import { part, setText } from "../site/dom.js";

/** @typedef {import("../site/requests.js").Answer} Answer */

export const SAME_CONTENT = "same_content"; // the code of a refusal: a version has the same files

export class Messages {
  /**
   * @param {HTMLElement} root contains the status and the notice of studio/studio.html
   * @param {{inConflict: boolean}} draft whether the notice offers to overwrite the saved draft
   */
  constructor(root, draft) {
    this.root = root;
    this.draft = draft;
  }

  /** @param {import("./draft.js").SaveState} state @param {string} reason */
  showSaved(state, reason) {
    const texts = {
      saved: gettext("Draft saved"),
      changed: gettext("Not saved yet"),
      saving: gettext("Saving…"),
      away: gettext("Not saved: the site cannot be reached"),
      conflict: gettext("Not saved"),
      refused: gettext("Not saved"),
    };
    this.status(state, texts[state]);
    if (reason) this.notice(reason);
    else if (state === "saved") this.notice("");
  }

  /** @param {string} code @param {string} text beside the title */
  status(code, text) {
    const status = /** @type {HTMLElement} */ (part(this.root, "saved"));
    status.dataset.state = code;
    setText(status, text);
  }

  /** @param {string} text "" hides it @param {string} [code] of the refusal */
  notice(text, code = "") {
    const notice = /** @type {HTMLElement} */ (part(this.root, "notice"));
    setText(part(notice, "notice-text"), text);
    notice.hidden = text === "";
    notice.dataset.state = code;
    notice.classList.toggle("error", code !== SAME_CONTENT);
    /** @type {HTMLElement} */ (part(notice, "overwrite")).hidden = !this.draft.inConflict;
  }

  /** Report a request that has failed. @param {Answer} answer */
  isRefused(answer) {
    if (answer.state !== "done") this.notice(reasonOf(answer), answer.state === "refused" ? answer.code : "");
    return answer.state !== "done";
  }
}

/** @param {Answer} answer that is not "done" */
export function reasonOf(answer) {
  return answer.state === "refused" ? answer.reason : gettext("The site cannot be reached. Try again.");
}
