/**
 * The evaluation of a match: a bar beside the board and a chart of the match.
 *
 * Values are the first seat's lead: from an analysis of the finished match, if the page contains one as
 * `match-evaluation`; otherwise as counted on the board by the game's view.
 */
import { part, setText } from "../site/dom.js";
import { formatNumber } from "../site/format.js";
import { LeadChart } from "./lead-chart.js";

/** @typedef {{leads: (number | null)[], unit: (size: number) => string, full: number, note?: {since: number, text: string} | null}} Evaluation `full`: the lead that fills the bar; `unit`: of a lead of this size, in the reader's language; `note`: explains the leads since a turn */

/**
 * @param {number} lead
 * @param {number} full
 * @returns {number} the first seat's share of the bar, 0 to 1
 */
export function share(lead, full) {
  return Math.max(0, Math.min(1, 0.5 + lead / (2 * full)));
}

/** @param {number} lead @returns {string} "6", "0.4"; without a sign */
export function amount(lead) {
  const size = Math.abs(lead);
  return formatNumber(size, Number.isInteger(size) || size >= 10 ? 0 : 1);
}

export class LeadViews {
  /**
   * @param {HTMLElement} root of the match
   * @param {import("./match-model.js").MatchModel} model
   * @param {import("./game-view.js").GameView} view
   * @param {(index: number) => void} onChoose
   */
  constructor(root, model, view, onChoose) {
    this.model = model;
    this.view = view;
    this.bar = part(root, "evaluation-bar");
    this.container = part(root, "lead-chart");
    this.text = part(root, "lead-text");
    const plot = part(root, "lead-plot");
    this.chart = plot ? new LeadChart(plot, onChoose) : null;
  }

  /** @param {number} index the shown turn */
  show(index) {
    const { leads, unit, full, note } = this.#evaluation();
    const found = leads.some((lead) => lead !== null);
    if (this.container) this.container.hidden = !found;
    if (this.bar) this.bar.hidden = !found || this.model.seats.length !== 2;
    if (!found) return;
    const lead = latestLead(leads, index);
    const text = withNote(this.#words(lead, unit), note, index);
    const total = this.model.outcome ? leads.length : this.view.lead?.usualTurns ?? 0;
    this.chart?.draw(leads, index, { total, least: this.model.seats.length === 2 ? full / 2 : 0, text });
    setText(this.text, text);
    this.bar?.style.setProperty("--first-share", String(share(lead, full)));
    this.bar?.setAttribute("aria-label", text);
    setText(part(this.bar ?? document, "bar-value"), amount(lead));
    this.bar?.classList.toggle("is-second", lead < 0);
  }

  /** @returns {Evaluation} */
  #evaluation() {
    const found = pageEvaluation(document.getElementById("match-evaluation"));
    if (found) return found;
    const { lead } = this.view;
    if (!lead) return { leads: [], unit: () => "", full: 1 };
    return { leads: Array.from(this.model.turns, (turn, index) => (turn ? lead.at(index) : null)), unit: lead.unit, full: lead.full };
  }

  /** @param {number} lead @param {Evaluation["unit"]} unit */
  #words(lead, unit) {
    const { seats } = this.model;
    const values = { name: seats[lead > 0 ? 0 : (seats[1]?.index ?? 0)].name, lead: amount(lead), unit: unit(Math.abs(lead)) };
    if (seats.length === 1) return interpolate(gettext("%(lead)s %(unit)s"), values, true);
    if (lead === 0) return gettext("Even");
    // The value of an analysis can differ from the counts beside it, so it is not called a lead.
    const isAnalysed = Boolean(pageEvaluation(document.getElementById("match-evaluation")));
    return interpolate(isAnalysed ? gettext("Evaluation: %(name)s +%(lead)s %(unit)s") : gettext("%(name)s leads by %(lead)s %(unit)s"), values, true);
  }
}

/**
 * @param {string} text
 * @param {Evaluation["note"]} note
 * @param {number} index
 * @returns {string} the text, with the note if that applies to this turn
 */
export function withNote(text, note, index) {
  if (!note || index < note.since) return text;
  return interpolate(gettext("%(lead)s. %(note)s"), { lead: text, note: note.text }, true);
}

/** @type {WeakMap<HTMLElement, Evaluation | null>} the page replaces its container when an analysis arrives */
const read = new WeakMap();

/** @param {HTMLElement | null} container @returns {Evaluation | null} */
function pageEvaluation(container) {
  if (!container) return null;
  if (!read.has(container)) read.set(container, parsed(container.textContent ?? "null"));
  return read.get(container) ?? null;
}

/** @param {string} text see Evaluation in arena/games/review.py @returns {Evaluation | null} */
export function parsed(text) {
  const found = JSON.parse(text);
  if (!found) return null;
  const { units, ...rest } = found;
  return { ...rest, unit: (size) => units[size === 1 ? 0 : 1] };
}

/** @param {(number | null)[]} leads @param {number} index @returns {number} the latest known lead up to this turn */
export function latestLead(leads, index) {
  for (let at = Math.min(Math.max(0, index), leads.length - 1); at >= 0; at -= 1) {
    const lead = leads[at];
    if (lead !== null) return lead;
  }
  return 0;
}
