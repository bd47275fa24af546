/**
 * The owner's buttons on the page of a room: sent without leaving the page, so that a projector keeps its view.
 *
 * What they change comes back as an event, as it does for everybody; here is only said what was done, or why it was not.
 */
import { part, setText } from "#site/dom.js";
import { send } from "#site/requests.js";

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
      if (answer.state === "done") setText(said, answer.body.text);
      else setText(said, answer.state === "refused" ? answer.reason : gettext("The site did not respond. Try again."));
    });
  }
}
