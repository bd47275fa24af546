/** The choice between light and dark, kept in this browser. `themechange` on document tells of it. */

const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} what the page shows now */
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
    // Storage may be forbidden; the choice lasts for this page then.
  }
  announce();
}

/** Make the toggle in the header work and follow the system while nothing is chosen. */
export function startTheme() {
  for (const button of document.querySelectorAll("[data-theme-toggle]")) button.addEventListener("click", toggle);
  system.addEventListener("change", announce);
  announce();
}
