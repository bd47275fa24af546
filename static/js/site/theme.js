/** The shown theme, chosen with the toggle of theme-boot.js. `themechange` on document announces it. */

const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} the theme of the page */
export function shownTheme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

function announce() {
  document.documentElement.dataset.shownTheme = shownTheme();
  document.dispatchEvent(new CustomEvent("themechange", { detail: shownTheme() }));
}

/** Follow the system's theme while nothing is chosen. */
export function startTheme() {
  system.addEventListener("change", announce);
  announce();
}
