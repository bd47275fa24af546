/**
 * The boards on a tournament's page: each follows its match, and is replaced when the match is over.
 * The server selects the matches; each refresh of the page's parts fetches its current selection.
 */
import { REFRESHED, refreshParts } from "../live/refresh.js";
import { loadGame } from "../matches/game-view.js";
import { LiveMatch } from "../matches/live-match.js";
import { part, setText } from "../site/dom.js";

const POLL_INTERVAL = 6_000; // milliseconds; a random delay spreads the viewers' requests
const SHOWN_AFTER_END = 4_000; // so that the result can be read

/** @type {Map<HTMLElement, LiveMatch>} by the place that holds them */
const mounted = new Map();
/** The number of matches that were over when the page's parts were last fetched. */
let seen = "";
/** @type {Map<HTMLElement, number>} when a board was first seen to be over */
const ended = new Map();

/** @param {ParentNode} root @returns {HTMLElement[]} */
const boardsIn = (root) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-board]"))];

/** @param {HTMLElement} place */
async function mount(place) {
  const root = /** @type {HTMLElement | null} */ (place.querySelector("[data-live-match]"));
  if (root) mounted.set(place, new LiveMatch(root, await loadGame(root)));
}

/** @param {HTMLElement} place */
function unmount(place) {
  mounted.get(place)?.stop();
  mounted.delete(place);
  ended.delete(place);
}

/**
 * Choose which of the shown boards to remove and which of the chosen matches to add.
 * @template T
 * @param {{id: string, over: boolean, place: T}[]} shown
 * @param {string[]} chosen ids of the matches to show, the most important first
 * @returns {{leave: T[], join: string[]}} a board whose match is not over stays, even if other matches are more
 * important
 */
export function boardChanges(shown, chosen) {
  const known = new Set(shown.map(({ id }) => id));
  const fresh = chosen.filter((id) => !known.has(id));
  const leave = shown.filter(({ over }) => over).slice(0, fresh.length);
  const room = Math.max(0, chosen.length - shown.length) + leave.length;
  return { leave: leave.map(({ place }) => place), join: fresh.slice(0, room) };
}

/** @param {HTMLElement} section @param {Document} fresh */
async function swap(section, fresh) {
  const list = section.querySelector(".featured-boards__list");
  const chosen = new Map(boardsIn(fresh).map((place) => [place.dataset.board ?? "", place]));
  if (!list) return;
  const shown = boardsIn(list).map((place) => ({
    id: place.dataset.board ?? "",
    over: Date.now() - (ended.get(place) ?? Infinity) > SHOWN_AFTER_END,
    place,
  }));
  const { leave, join } = boardChanges(shown, [...chosen.keys()]);
  const places = join.map((id) => document.adoptNode(/** @type {HTMLElement} */ (chosen.get(id))));
  for (const [at, place] of places.entries()) {
    const old = leave[at];
    if (old) {
      unmount(old);
      old.replaceWith(place);
    } else list.append(place);
  }
  setText(part(section, "boards-title"), part(fresh, "boards-title")?.textContent ?? "");
  section.dataset.count = String(boardsIn(list).length);
  section.hidden = section.dataset.count === "0";
  await Promise.all(places.map(mount));
}

/** @param {HTMLElement} root @returns {boolean} whether a match runs that no board shows */
function hasUnshown(root) {
  const running = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-match-id]:has([data-status=running])"));
  const shown = new Set(boardsIn(root).map((place) => place.dataset.board));
  return [...running].some((match) => !shown.has(match.dataset.matchId));
}

/** @param {HTMLElement} section */
function poll(section) {
  for (const [place, match] of mounted) if (match.isOver && !ended.has(place)) ended.set(place, Date.now());
  const root = /** @type {HTMLElement | null} */ (section.closest("[data-tournament]"));
  const played = part(root ?? section, "played")?.textContent ?? "";
  if (document.hidden || root?.dataset.status !== "running") return;
  const hasRoom = mounted.size === 0 || ended.size > 0;
  if (played === seen && !(hasRoom && hasUnshown(root))) return;
  seen = played;
  refreshParts();
}

/** @param {HTMLElement} section */
export async function startBoards(section) {
  seen = part(section.closest("[data-tournament]") ?? section, "played")?.textContent ?? "";
  document.addEventListener(REFRESHED, (event) => swap(section, /** @type {CustomEvent<Document>} */ (event).detail));
  await Promise.all(boardsIn(section).map(mount));
  setInterval(() => poll(section), POLL_INTERVAL + Math.random() * POLL_INTERVAL);
}
