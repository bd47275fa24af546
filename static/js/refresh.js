/** Parts of a page that only the server can draw: fetched anew when a live event made them stale. */

/**
 * Replace every element with `data-refresh` and an id by what the page's address shows now.
 * A page that cannot be fetched stays as it is.
 */
export async function refreshParts() {
  const stale = [...document.querySelectorAll("[data-refresh][id]")];
  if (stale.length === 0) return;
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of stale) {
      const next = fresh.getElementById(part.id);
      if (next) part.replaceWith(document.adoptNode(next));
    }
  } catch {
    // Offline: the next visit shows it.
  }
}
