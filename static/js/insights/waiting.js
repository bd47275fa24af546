/** A page that waits for a large report: shows how far it is, and the report once it is there. */

const EVERY_MS = 2000;

async function look() {
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    const state = fresh.querySelector("[data-report]");
    if (!state) {
      location.reload();
      return;
    }
    document.querySelector("[data-report]")?.replaceWith(document.adoptNode(state));
  } catch {
    // Offline: the next look may find it.
  }
  if (document.querySelector('[data-report="pending"]')) setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
