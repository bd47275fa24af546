/** A match or standings in a frame on another site. Links open in a new tab: the site's other pages refuse to be framed. */
import { REFRESHED } from "../live/refresh.js";
import { keepFillingFrame } from "../matches/frame-fit.js";
import { loadGame } from "../matches/game-view.js";
import { LiveMatch } from "../matches/live-match.js";
import "../tournaments/standings.js";

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live-match]"))) {
  loadGame(root).then((game) => new LiveMatch(root, game));
  keepFillingFrame(root);
}

function openLinksInNewTabs() {
  for (const link of document.links) {
    link.target = "_blank";
    link.rel = "noopener";
  }
}

openLinksInNewTabs();
document.addEventListener(REFRESHED, openLinksInNewTabs);
