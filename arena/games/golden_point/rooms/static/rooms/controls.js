/**
 * The owner's buttons on a room's page. Forms are submitted without leaving the page, so that the projector view stays
 * open.
 *
 * Changes arrive as events, as they do for everyone; this module only reports what was done, or why it was refused.
 */
import { part, setText } from "#site/dom.js";
import { send } from "#site/requests.js";

/** Actions without a message of their own, because the room's notice shows their effect to everyone. */
const CONTROLS_WITH_NOTICE = new Set(["pause", "resume"]);

/** @param {HTMLElement} root @param {import("./model.js").RoomModel} model */
export function startControls(root, model) {
  const holder = part(root, "controls");
  if (!holder) return;
  for (const form of holder.querySelectorAll("form")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const body = new FormData(form);
      if (form.dataset.control === "close-round") body.set("round", model.room.round_id);
      const answer = await send(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      const said = part(holder, "controls-said");
      if (said) said.dataset.tone = answer.state === "done" ? "" : "bad";
      if (answer.state === "done") setText(said, CONTROLS_WITH_NOTICE.has(form.dataset.control ?? "") ? "" : answer.body.text);
      else setText(said, answer.state === "refused" ? answer.reason : gettext("The site did not respond. Try again."));
    });
  }
}
