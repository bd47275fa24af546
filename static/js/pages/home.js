/**
 * The home page: a live board, a live chart and live standings, each with its own connection.
 * When a match is over, the next featured match replaces it. A page that was loaded before the first match reloads when
 * there is one.
 */
import { loadGame } from "../matches/game-view.js";
import { LiveMatch } from "../matches/live-match.js";
import { request } from "../site/requests.js";

const POLL_INTERVAL = 8_000; // milliseconds; an ended match stays until the next poll
const FIRST_MATCH_POLL_INTERVAL = 2_000; // on a site without any match yet

/** @type {Map<HTMLElement, LiveMatch>} by the place that holds them, `data-featured-game` */
const shown = new Map();

/** @param {HTMLElement} place */
async function mount(place) {
  const root = /** @type {HTMLElement | null} */ (place.querySelector("[data-live-match]"));
  if (root) shown.set(place, new LiveMatch(root, await loadGame(root)));
}

/** @param {Record<string, {id: number}>} featured by game */
function boardsToReplace(featured) {
  return [...shown].filter(([place, match]) => {
    const next = featured[place.dataset.featuredGame ?? ""];
    return match.isOver && next !== undefined && next.id !== match.id;
  });
}

/** @param {string} address of the list of featured matches */
async function replaceEndedMatches(address) {
  const empty = shown.size === 0;
  if (document.hidden || !(empty || [...shown.values()].some((match) => match.isOver))) return;
  const { matches } = await (await request(address)).json();
  if (empty) {
    if (Object.keys(matches).length > 0) location.reload();
    return;
  }
  const places = boardsToReplace(matches);
  if (places.length === 0) return;
  const page = new DOMParser().parseFromString(await (await request(location.href)).text(), "text/html");
  for (const [place, match] of places) {
    const next = page.querySelector(`[data-featured-game="${place.dataset.featuredGame}"]`);
    if (!next) continue;
    match.stop();
    place.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
    await mount(place);
  }
}

await Promise.all([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-featured-game]"))].map(mount));
const container = /** @type {HTMLElement | null} */ (document.querySelector("[data-featured]"));
if (container) {
  // Ignore a failed request: the next one follows.
  setInterval(() => replaceEndedMatches(container.dataset.featured ?? "").catch(() => {}), shown.size === 0 ? FIRST_MATCH_POLL_INTERVAL : POLL_INTERVAL);
}
