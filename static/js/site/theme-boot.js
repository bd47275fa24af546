// Runs before the first paint, so that the wrong theme never flashes and the toggle works before other scripts have
// loaded: the only blocking script.
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // Storage may be blocked; the system's theme is then used.
  }
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.shownTheme = root.dataset.theme ?? (dark ? "dark" : "light");

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-theme-toggle]"))) return;
    const next = root.dataset.shownTheme === "dark" ? "light" : "dark";
    root.dataset.theme = root.dataset.shownTheme = next;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // Storage may be blocked; the choice then lasts only for this page.
    }
    document.dispatchEvent(new CustomEvent("themechange", { detail: next }));
  });
})();
