// Runs before the first paint, so that a chosen theme never flashes: the only script that blocks.
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden; the system's theme is shown then.
  }
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.shownTheme = root.dataset.theme ?? (dark ? "dark" : "light");
})();
