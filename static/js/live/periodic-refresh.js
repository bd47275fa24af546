/**
 * Refresh a page about the workers every few seconds while it is visible. Its part names the seconds in `data-every`.
 */
import { refreshParts } from "./refresh.js";

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh][data-every]"));
const seconds = Number(part?.dataset.every);

async function refresh() {
  if (!document.hidden) await refreshParts();
  setTimeout(refresh, seconds * 1000);
}

if (seconds > 0) setTimeout(refresh, seconds * 1000);
