// Runs before the first paint, so that the wrong theme never flashes: the only blocking script.
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
})();
