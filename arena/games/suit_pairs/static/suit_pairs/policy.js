/** Show the learned policy's choice for the decision after the shown one, otherwise for the turning point. */
import { element, pageData, part, setText } from "#site/dom.js";
import { signed } from "#site/format.js";
import { cardLabel, cardOf } from "./cards.js";
import { stageLabel } from "./sentences.js";

/** @typedef {{turn: number, seat: number, played: string, lead: number, chances: [string, number][]}} Decision `lead`: expected, of the first seat */

const BARS_SHOWN = 6; // the others are folded away
const IN_A_LINE = 3; // actions listed below the cards

/**
 * @param {HTMLElement} display contains the line for the likeliest actions
 * @param {number} index the shown decision
 * @param {(seat: number) => string} nameOf
 */
export function showPolicy(display, index, nameOf) {
  const root = document.getElementById("policy");
  const place = root && part(root, "policy-decision");
  if (!root || !place) return;
  const decisions = /** @type {Decision[]} */ (pageData("policy-decisions"));
  const at = decisions.findIndex(({ turn }) => turn === index + 1);
  const found = decisions[at];
  const described = found ?? decisions.find(({ turn }) => turn === Number(root.dataset.turning));
  mark(root, at, decisions.length);
  const likely = found ? found.chances.slice(0, IN_A_LINE).map(([move, share]) => `${label(move)} ${percentOf(share)}`) : [];
  setText(part(display, "policy-line"), found ? interpolate(gettext("Level 5 would play: %s"), [likely.join(" · ")]) : "");
  if (described) place.replaceChildren(title(described, nameOf), bars(described));
  else place.replaceChildren(element("p", { class: "muted small" }, gettext("Go to a decision to see its probabilities.")));
}

/** @param {HTMLElement} root @param {number} at @param {number} count */
function mark(root, at, count) {
  const line = part(root, "policy-shown");
  const width = Number(root.querySelector("svg")?.viewBox.baseVal.width ?? 0);
  line?.setAttribute("visibility", at < 0 ? "hidden" : "visible");
  for (const name of ["x1", "x2"]) line?.setAttribute(name, String((width * Math.max(at, 0)) / count));
}

/** @param {Decision} decision @param {(seat: number) => string} nameOf */
function title({ turn, seat, lead }, nameOf) {
  const values = { turn, name: nameOf(seat), lead: signed(Math.round((seat === 0 ? lead : -lead) * 10) / 10) };
  return element("p", { class: "policy__title" }, interpolate(gettext("Decision %(turn)s by %(name)s: expected final lead %(lead)s."), values, true));
}

/** @param {Decision} decision */
function bars({ chances, played }) {
  const rows = chances.map(([move, share], index) => {
    const isPlayed = move === played;
    const badge = isPlayed ? element("span", { class: "badge" }, pgettext("decision", "Played")) : null;
    const percent = percentOf(share);
    const isFolded = index >= BARS_SHOWN && !isPlayed;
    const row = element(
      "li",
      { class: isPlayed ? "policy__bar is-played" : "policy__bar" },
      element("span", { class: "policy__move" }, label(move)),
      element("meter", { min: 0, max: 1, value: share, "aria-label": label(move) }, percent),
      element("span", { class: "number" }, percent),
      badge,
    );
    return { row, isFolded };
  });
  const list = (/** @type {boolean} */ isFolded) =>
    element("ol", { class: "policy__bars" }, ...rows.filter((one) => one.isFolded === isFolded).map(({ row }) => row));
  if (!rows.some(({ isFolded }) => isFolded)) return list(false);
  return element("div", {}, list(false), element("details", {}, element("summary", {}, gettext("Other legal actions")), list(true)));
}

/** @param {number} share */
const percentOf = (share) => interpolate(gettext("%s %"), [Math.round(share * 100)]);

/** @param {string} move */
function label(move) {
  const card = cardOf(move);
  return card < 0 ? stageLabel(move) : cardLabel(card);
}
