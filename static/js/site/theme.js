/** The choice between light and dark, stored in this browser. `themechange` on document announces it. */

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

function toggle() {
  const next = shownTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Storage may be blocked; the choice then lasts only for this page.
  }
  announce();
}

/** Set up the toggle in the header, and follow the system while nothing is chosen. */
export function startTheme() {
  for (const button of document.querySelectorAll("[data-theme-toggle]")) button.addEventListener("click", toggle);
  system.addEventListener("change", announce);
  announce();
}
