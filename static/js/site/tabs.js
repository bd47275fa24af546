/**
 * Turn sections into tabs (WAI-ARIA Authoring Practices, "Tabs with automatic activation").
 *
 * Without this script, the sections appear one below the other, each with its heading. A link to something inside a
 * section opens its tab; otherwise, the tab with `data-first` or the first one is open.
 */
import { element } from "./dom.js";

/** @param {HTMLElement} root has `data-tabs`; its sections have `data-tab`, an id and a heading */
export function makeTabs(root) {
  const panels = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-tab]"))];
  const list = element("div", { class: "tabs__list", role: "tablist", "aria-label": root.dataset.tabs });
  const tabs = panels.map((panel) => makeTab(panel));
  list.append(...tabs);
  root.prepend(list);
  root.classList.add("is-tabbed");
  const choose = (/** @type {number} */ chosen, moveFocus = false) => {
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      panels[at].hidden = at !== chosen;
    });
    if (moveFocus) tabs[chosen].focus();
  };
  tabs.forEach((tab, at) => tab.addEventListener("click", () => choose(at)));
  list.addEventListener("keydown", (event) => {
    const to = tabForKey(event.key, tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement)), tabs.length);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    choose(to, true);
  });
  const follow = () => {
    const place = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const at = panels.findIndex((panel) => panel.contains(place));
    if (at >= 0) choose(at);
    return at >= 0;
  };
  const reveal = () => {
    if (follow()) document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('a[href^="#"]'));
    if (link && link.hash === location.hash) reveal(); // the URL stays the same, so no hashchange fires
  });
  if (!follow()) choose(Math.max(0, panels.findIndex((panel) => "first" in panel.dataset)));
}

/** @param {HTMLElement} panel */
function makeTab(panel) {
  const heading = panel.querySelector("h2");
  heading?.classList.add("visually-hidden");
  const tab = element("button", { type: "button", role: "tab", class: "tabs__tab", id: `${panel.id}-tab`, "aria-controls": panel.id }, heading?.textContent ?? "");
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  panel.tabIndex = 0;
  return tab;
}

/**
 * @param {string} key
 * @param {number} at the tab that has the focus
 * @param {number} count
 * @returns {number | null} the tab that the key opens
 */
export function tabForKey(key, at, count) {
  if (at < 0) return null;
  const places = { ArrowRight: (at + 1) % count, ArrowLeft: (at + count - 1) % count, Home: 0, End: count - 1 };
  return places[/** @type {keyof typeof places} */ (key)] ?? null;
}
