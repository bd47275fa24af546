/**
 * The projector view of a page: full screen, without leaving the page; Escape closes it. A `viewchange` event on
 * document announces each change, because the font size differs.
 */

const VIEW = "projector";

/** Make links to the projector view (`data-projector`) open it in place. */
export function startProjector() {
  for (const link of document.querySelectorAll("[data-projector]")) {
    link.addEventListener("click", (event) => {
      const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
      if (ctrlKey || metaKey || shiftKey) return;
      event.preventDefault();
      void show();
    });
  }
  for (const link of document.querySelectorAll("[data-projector-end]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (document.fullscreenElement) void document.exitFullscreen();
      setView(false);
    });
  }
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || setView(false));
}

async function show() {
  setView(true);
  try {
    await document.documentElement.requestFullscreen();
  } catch {
    // If full screen is not allowed, the view stays in the window.
  }
}

/** @param {boolean} isShown */
function setView(isShown) {
  document.documentElement.classList.toggle(VIEW, isShown);
  const url = new URL(location.href);
  if (isShown) url.searchParams.set("view", VIEW);
  else url.searchParams.delete("view");
  history.replaceState(history.state, "", url);
  document.dispatchEvent(new Event("viewchange"));
}
