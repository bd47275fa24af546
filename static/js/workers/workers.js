/** A page that lists machines: its parts are refreshed every few seconds while the page is visible. */
import { refreshParts } from "../live/refresh.js";

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh][data-every]"));
const seconds = Number(part?.dataset.every);

async function again() {
  if (!document.hidden) await refreshParts();
  setTimeout(again, seconds * 1000);
}

if (seconds > 0) setTimeout(again, seconds * 1000);
