/** Countdowns in seconds: `<span data-countdown="ISO time">`. At zero, the page's stale parts are refreshed. */
import { refreshParts } from "../live/refresh.js";

const DAY = 86_400;
// The server freezes or starts within two seconds of the time; a random delay spreads the requests.
const LATEST_LOOK = 6_000;

/** @param {number} left seconds, at least 0 @returns {string} 2 d 03:04:05 or 03:04:05 */
export function countdownText(left) {
  const digits = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
  const time = [(left % DAY) / 3600, (left % 3600) / 60, left % 60].map(digits).join(":");
  return left < DAY ? time : interpolate(gettext("%(days)s d %(time)s"), { days: Math.floor(left / DAY), time }, true);
}

function tick() {
  for (const target of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-countdown]"))) {
    const left = (Date.parse(target.dataset.countdown ?? "") - Date.now()) / 1000;
    if (left > 0) {
      target.textContent = countdownText(left);
    } else if (!target.dataset.over) {
      target.dataset.over = "true";
      target.textContent = countdownText(0);
      setTimeout(refreshParts, 2_500 + Math.random() * LATEST_LOOK);
    }
  }
}

if (globalThis.document) {
  tick();
  setInterval(tick, 1000);
}
