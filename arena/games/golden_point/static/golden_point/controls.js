/** The buttons above a golden-number chart: which rounds to show, on which scale, or as a table. */
import { element } from "#site/dom.js";
import { WINDOW } from "./round-window.js";

const STEP = 0.5; // of the window's width
const TABLE = "arena-golden-table"; // the localStorage key for showing the table

/**
 * @typedef {object} Actions
 * @property {() => void} onLast
 * @property {() => void} onAll
 * @property {(factor: number) => void} onZoom
 * @property {(share: number) => void} onPan called with the share of the window's width to move by, towards later rounds
 * @property {(logarithmic: boolean) => void} onLogarithmic
 * @property {(table: boolean) => void} onTable
 */

export class ChartControls {
  /** @param {Actions} actions */
  constructor(actions) {
    this.last = button(interpolate(gettext("Last %s"), [WINDOW]), actions.onLast);
    this.all = button(gettext("All rounds"), actions.onAll);
    this.logarithmic = toggle(gettext("Logarithmic"), actions.onLogarithmic);
    this.table = toggle(gettext("Table"), (shown) => {
      remember(shown);
      actions.onTable(shown);
    });
    const move = [
      iconButton("◀", gettext("Earlier rounds"), () => actions.onPan(-STEP)),
      iconButton("−", gettext("Show more rounds"), () => actions.onZoom(1 / STEP)),
      iconButton("+", gettext("Show fewer rounds"), () => actions.onZoom(STEP)),
      iconButton("▶", gettext("Later rounds"), () => actions.onPan(STEP)),
    ];
    const moving = group(gettext("Navigate"), ...move);
    moving.classList.add("chart__move");
    this.root = element(
      "div",
      { class: "chart__controls" },
      group(gettext("Rounds shown"), this.last, this.all),
      moving,
      group(gettext("Display as"), this.logarithmic, this.table),
    );
    if (wasRemembered()) this.table.click();
  }

  /** @param {import("./round-window.js").RoundWindow} shown */
  update(shown) {
    this.last.setAttribute("aria-pressed", String(shown.isLast));
    this.all.setAttribute("aria-pressed", String(shown.isAll));
  }
}

/** @param {string} label @param {...Node} buttons */
function group(label, ...buttons) {
  return element("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
}

/** @param {string} text @param {() => void} onClick */
function button(text, onClick) {
  const made = element("button", { type: "button", "aria-pressed": "false" }, text);
  made.addEventListener("click", () => onClick());
  return made;
}

/** @param {string} text @param {string} label @param {() => void} onClick */
function iconButton(text, label, onClick) {
  const made = element("button", { type: "button", "aria-label": label, title: label }, text);
  made.addEventListener("click", () => onClick());
  return made;
}

/** @param {string} text @param {(pressed: boolean) => void} onChange */
function toggle(text, onChange) {
  const made = button(text, () => {
    const pressed = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(pressed));
    onChange(pressed);
  });
  return made;
}

/** @param {boolean} table */
function remember(table) {
  try {
    if (table) localStorage.setItem(TABLE, "1");
    else localStorage.removeItem(TABLE);
  } catch {
    // Storage may be blocked; the choice then lasts only for this page.
  }
}

function wasRemembered() {
  try {
    return localStorage.getItem(TABLE) !== null;
  } catch {
    return false;
  }
}
