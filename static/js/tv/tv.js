/** The big screen: takes the first programme from the page, fetches the next ones, shows the scene that the director chooses, and keeps it live. */
import { loadGame } from "../matches/game-view.js";
import { pageData, part, prefersReducedMotion } from "../site/dom.js";
import { send } from "../site/requests.js";
import { startTimes } from "../site/time.js";
import "../tournaments/countdown.js";
import { followStandings } from "../tournaments/standings.js";
import { Director, keyOf } from "./director.js";
import { PAGE_INTERVAL, keepFitting } from "./fit.js";
import { MatchScene } from "./match-scene.js";

const POLL_INTERVAL = 4_000; // milliseconds
const FADE = { duration: 500, easing: "ease-out" };
const POINTER_SHOWN = 3_000;

const root = /** @type {HTMLElement} */ (document.getElementById("tv"));
const idle = /** @type {HTMLElement} */ (root.querySelector("[data-idle]"));
const noScene = part(idle, "no-scene");
const director = new Director(() => performance.now());

/** Stops the live updates of the shown scene. */
let stop = () => {};
let shown = "";

/** @param {HTMLElement} scene @returns {Promise<() => void>} a function that stops it */
async function start(scene) {
  const { pages, stop: stopFitting } = keepFitting(scene);
  if (pages > 1) director.extend(pages * PAGE_INTERVAL);
  const stopFollowing = await follow(scene);
  return () => {
    stopFitting();
    stopFollowing();
  };
}

/** @param {HTMLElement} scene @returns {Promise<() => void>} a function that stops it */
async function follow(scene) {
  const match = /** @type {HTMLElement | null} */ (scene.querySelector("[data-live-match]"));
  if (match) {
    const playing = new MatchScene(scene, match, await loadGame(match));
    return () => playing.stop();
  }
  const standings = /** @type {HTMLElement | null} */ (scene.querySelector("[data-tournament]"));
  return standings ? followStandings(standings) : () => {};
}

/** @param {import("./director.js").Scene | null} scene */
async function show(scene) {
  const key = keyOf(scene);
  if (noScene) noScene.hidden = scene !== null; // nothing is said while the first scene is loading
  if (key === shown) return;
  if (!scene) {
    shown = key;
    stop();
    stop = () => {};
    root.replaceChildren(idle);
    return;
  }
  const answer = await send(scene.url, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (answer.state !== "done") return; // the next programme will correct it
  const fresh = new DOMParser().parseFromString(answer.body, "text/html").querySelector("[data-scene]");
  if (!(fresh instanceof HTMLElement)) return;
  shown = key;
  stop();
  root.replaceChildren(document.adoptNode(fresh));
  stop = await start(fresh);
  if (!prefersReducedMotion()) fresh.animate([{ opacity: 0 }, { opacity: 1 }], FADE);
}

async function fetchNextScene() {
  const answer = await send(root.dataset.tv ?? "", { cache: "no-store" });
  if (answer.state === "done") await show(director.next(answer.body.scenes));
}

async function run() {
  await fetchNextScene();
  setTimeout(run, POLL_INTERVAL);
}

/** Hide the pointer and the buttons while the pointer rests. */
function hidePointer() {
  let timer = 0;
  const still = () => document.body.classList.add("is-still");
  document.addEventListener("pointermove", () => {
    document.body.classList.remove("is-still");
    clearTimeout(timer);
    timer = setTimeout(still, POINTER_SHOWN);
  });
  timer = setTimeout(still, POINTER_SHOWN);
}

async function keepAwake() {
  if (document.hidden) return;
  await navigator.wakeLock?.request("screen").catch(() => {}); // not granted on low battery: the screen may then sleep
}

document.querySelector("[data-fullscreen]")?.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
document.addEventListener("visibilitychange", keepAwake);
startTimes();
hidePointer();
keepAwake();
await show(director.next(pageData("tv-programme")?.scenes ?? []));
if (shown) setTimeout(run, POLL_INTERVAL);
else run();
