/** A chart of the first seat's lead after each turn of a match. */
const NS = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 72;
const EDGE = 4;

/** @typedef {(number | null)[]} Leads by turn; null: not known */

/**
 * Return the values at the chart's lower and upper edges, at the same distance from zero if both seats may lead.
 * @param {Leads} leads
 * @param {number} least the minimum range, so that small leads look small
 * @returns {[number, number]}
 */
export function range(leads, least) {
  const known = leads.filter((lead) => lead !== null);
  const most = Math.max(least, ...known.map(Math.abs));
  const falls = known.some((lead) => lead < 0) && known.every((lead) => lead <= 0);
  return [-most, falls && least === 0 ? 0 : most];
}

/**
 * @param {Leads} leads
 * @param {number} total turns that the chart has space for, at least two
 * @param {number} least as in `range`
 * @returns {string} the points of a line from left to right, without turns whose lead is unknown
 */
export function points(leads, total, least) {
  const edges = range(leads, least);
  return leads.flatMap((lead, index) => (lead === null ? [] : [`${round(x(index, total))},${round(y(lead, edges))}`])).join(" ");
}

/** @param {number} share of the width, 0 to 1 @param {number} count of turns @param {number} total @returns {number} */
export function indexAt(share, count, total) {
  return Math.max(0, Math.min(count - 1, Math.round(share * (total - 1))));
}

const x = (/** @type {number} */ index, /** @type {number} */ total) => (index / Math.max(1, total - 1)) * WIDTH;
const y = (/** @type {number} */ lead, /** @type {[number, number]} */ [low, high]) => EDGE + ((high - lead) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

export class LeadChart {
  /** @param {HTMLElement} root @param {(index: number) => void} onChoose called with a picked turn */
  constructor(root, onChoose) {
    this.svg = document.createElementNS(NS, "svg");
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.svg.setAttribute("role", "img");
    this.area = this.#add("polygon", { class: "lead-chart__area" });
    this.zero = this.#add("line", { class: "lead-chart__zero", x1: 0, x2: WIDTH });
    this.line = this.#add("polyline", { class: "lead-chart__line" });
    this.cursor = this.#add("line", { class: "lead-chart__cursor", y1: 0, y2: HEIGHT });
    root.replaceChildren(this.svg);
    this.count = 0;
    this.total = 2;
    this.svg.addEventListener("pointerdown", (event) => this.#pick(event, onChoose));
    this.svg.addEventListener("pointermove", (event) => event.buttons === 1 && this.#pick(event, onChoose));
  }

  /**
   * @param {Leads} leads
   * @param {number} index the shown turn
   * @param {{total: number, least: number, text: string}} options `total`: turns to make space for; `text`: a
   * description of what is shown
   */
  draw(leads, index, { total, least, text }) {
    this.count = leads.length;
    this.total = Math.max(2, total, leads.length);
    const line = points(leads, this.total, least);
    const middle = round(y(0, range(leads, least)));
    this.line.setAttribute("points", line);
    for (const name of ["y1", "y2"]) this.zero.setAttribute(name, String(middle));
    const ends = line.split(" ").map((point) => point.split(",")[0]);
    this.area.setAttribute("points", line && `${ends[0]},${middle} ${line} ${ends.at(-1)},${middle}`);
    const at = String(round(x(Math.max(0, index), this.total)));
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, at);
    this.svg.setAttribute("aria-label", text);
  }

  /** @param {"line" | "polygon" | "polyline"} tag @param {Record<string, string | number>} attributes */
  #add(tag, attributes) {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    this.svg.append(made);
    return made;
  }

  /** @param {PointerEvent} event @param {(index: number) => void} onChoose */
  #pick(event, onChoose) {
    if (this.count === 0) return;
    const box = this.svg.getBoundingClientRect();
    onChoose(indexAt((event.clientX - box.left) / box.width, this.count, this.total));
  }
}
