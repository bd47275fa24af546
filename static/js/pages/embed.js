/** A match or standings in a frame on another site. Links open in a new tab: the site's other pages refuse to be framed. */
import { REFRESHED } from "../live/refresh.js";
import { shrinkBoard } from "../matches/board-size.js";
import { loadGame } from "../matches/game-view.js";
import { LiveMatch } from "../matches/live-match.js";
import "../tournaments/standings.js";

/** Keep the whole match visible, whatever the size of the frame and the length of names. @param {HTMLElement} root */
function keepInFrame(root) {
  const main = /** @type {HTMLElement} */ (root.parentElement);
  const fit = () => shrinkBoard(root, () => main.clientHeight);
  new ResizeObserver(fit).observe(root);
  window.addEventListener("resize", fit);
}

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live-match]"))) {
  loadGame(root).then((game) => new LiveMatch(root, game));
  keepInFrame(root);
}

function openLinksInNewTabs() {
  for (const link of document.links) {
    link.target = "_blank";
    link.rel = "noopener";
  }
}

openLinksInNewTabs();
document.addEventListener(REFRESHED, openLinksInNewTabs);
