/** Wait for a large report: show its progress, then the report itself. */
import { send } from "#site/requests.js";

const POLL_INTERVAL_MS = 2000;

async function poll() {
  const answer = await send(location.href, { headers: { Accept: "text/html" } });
  if (answer.state === "refused") location.reload(); // the reloaded page explains why
  if (answer.state === "done") {
    const state = new DOMParser().parseFromString(answer.body, "text/html").querySelector("[data-report]");
    if (!state) {
      location.reload();
      return;
    }
    document.querySelector("[data-report]")?.replaceWith(document.adoptNode(state));
  }
  if (document.querySelector('[data-report="pending"]')) setTimeout(poll, POLL_INTERVAL_MS);
}

setTimeout(poll, POLL_INTERVAL_MS);
