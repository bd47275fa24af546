/** The button that saves a match as an animated GIF. The encoder is loaded on demand. */
import { setText } from "../site/dom.js";
import { send } from "../site/requests.js";
import { saveFile } from "../site/save-file.js";
import { loadGame } from "./game-view.js";

/** @param {HTMLElement} root matches/match_view.html */
export function listenForAnimations(root) {
  root.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-animation]");
    if (button instanceof HTMLButtonElement && button.getAttribute("aria-busy") !== "true") save(root, button);
  });
}

/** @param {HTMLElement} root @param {HTMLButtonElement} button shows the progress */
async function save(root, button) {
  const label = button.textContent ?? "";
  button.setAttribute("aria-busy", "true");
  const refusal = await make(root, button).catch(() => gettext("This browser could not create the GIF. Try another browser."));
  button.removeAttribute("aria-busy");
  setText(button, refusal || label);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLButtonElement} button
 * @returns {Promise<string>} why it failed, "" if it did not
 */
async function make(root, button) {
  const { animation = "", file = "match.gif" } = button.dataset;
  setText(button, gettext("Drawing…"));
  const answer = await send(animation, {}, { tries: 3 });
  if (answer.state === "again") return gettext("The site cannot be reached. Try again.");
  if (answer.state === "refused") return answer.reason;
  const [{ makeAnimation }, { TURN_MS }] = await Promise.all([import("./animation.js"), loadGame(root)]);
  const count = answer.body.frames.length;
  const blob = await makeAnimation(answer.body, TURN_MS, (done) => {
    setText(button, interpolate(gettext("Frame %(done)s of %(count)s"), { done, count }, true));
  });
  saveFile(blob, file);
  return "";
}
