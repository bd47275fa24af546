/** The lobby of a room: who has joined before the start. */
import { element, part, setText } from "#site/dom.js";

/**
 * @param {HTMLElement} root
 * @param {import("./model.js").Room} room
 */
export function drawLobby(root, { state, lobby = [] }) {
  const holder = part(root, "lobby");
  const list = part(root, "lobby-names");
  if (!holder || !list) return;
  holder.hidden = state !== "waiting";
  setText(part(root, "lobby-count"), String(lobby.length));
  const own = holder.dataset.own;
  const drawn = JSON.stringify([lobby, own]);
  if (list.dataset.drawn === drawn) return;
  list.dataset.drawn = drawn;
  list.replaceChildren(...lobby.map((name) => element("li", { class: name === own ? "is-mine" : null }, name)));
  const empty = part(root, "lobby-empty");
  if (empty) empty.hidden = lobby.length > 0;
}
