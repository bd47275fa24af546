/**
 * The buttons that start and run a room. Forms are submitted without leaving the page, so that the projector view stays
 * open.
 *
 * Changes arrive as events, as they do for everyone; this module only reports what was done, or why it was refused, until
 * the next round closes.
 */
import { part, setText } from "#site/dom.js";
import { send } from "#site/requests.js";

/** Actions without a message of their own, because the room's notice shows their effect to everyone. */
const CONTROLS_WITH_NOTICE = new Set(["pause", "resume"]);

export class RoomControls {
  /** @type {number} the round after which the message is outdated */
  #until = 0;

  /** @param {HTMLElement} root @param {import("./model.js").RoomModel} model */
  constructor(root, model) {
    this.model = model;
    this.message = part(root, "controls-message");
    for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (root.querySelectorAll("form[data-control]"))) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        void this.#send(form);
      });
    }
  }

  /** Remove an outdated message. */
  draw() {
    if (this.model.newest > this.#until) this.#showMessage("");
  }

  /** @param {HTMLFormElement} form */
  async #send(form) {
    const control = form.dataset.control ?? "";
    const body = new FormData(form);
    if (control === "close-round") body.set("round", this.model.room.round_id);
    const answer = await send(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const isDone = answer.state === "done";
    // The event that the round was closed may arrive before the answer or after it.
    this.#until = Math.max(this.model.newest, isDone ? answer.body.closed : 0);
    if (isDone) this.#showMessage(CONTROLS_WITH_NOTICE.has(control) ? "" : answer.body.text, answer.body.closed ? "closed" : "");
    else this.#showMessage(answer.state === "refused" ? answer.reason : gettext("The site did not respond. Try again."), "bad");
  }

  /** @param {string} text @param {string} [tone] */
  #showMessage(text, tone = "") {
    if (!this.message) return;
    this.message.dataset.tone = tone;
    setText(this.message, text);
  }
}
