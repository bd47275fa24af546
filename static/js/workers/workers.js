/** A page that tells of machines: its parts are fetched anew every few seconds while somebody looks. */
import { refreshParts } from "../live/refresh.js";

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh][data-every]"));
const seconds = Number(part?.dataset.every);

async function again() {
  if (!document.hidden) await refreshParts();
  setTimeout(again, seconds * 1000);
}

if (seconds > 0) setTimeout(again, seconds * 1000);
