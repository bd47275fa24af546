/** A chart of the disc count over a match: how many more discs black had than white after each turn. */
const NS = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 72;

/** @param {{view: {counts: {X: number, O: number}}}[]} turns @returns {number[]} black's discs less white's, by turn */
export function leads(turns) {
  return turns.map((turn) => turn.view.counts.X - turn.view.counts.O);
}

/** @param {number[]} values @returns {number} the value at the chart's edge: at least eight, so that little looks little */
export function reach(values) {
  return Math.max(8, ...values.map(Math.abs));
}

/**
 * @param {number[]} values
 * @param {number} total turns that the chart has room for, at least two
 * @returns {string} points of a line from left to right, the middle is nought
 */
export function points(values, total) {
  const most = reach(values);
  return values.map((value, index) => `${round(x(index, total))},${round(HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 4))}`).join(" ");
}

/** @param {number} share of the width, 0 to 1 @param {number} count of turns @param {number} total @returns {number} */
export function indexAt(share, count, total) {
  return Math.max(0, Math.min(count - 1, Math.round(share * (total - 1))));
}

const x = (/** @type {number} */ index, /** @type {number} */ total) => (index / Math.max(1, total - 1)) * WIDTH;
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** A match of Reversi has sixty moves, and rarely fewer. */
const USUAL = 61;

export class DiscChart {
  /** @param {HTMLElement} root @param {(index: number) => void} onChoose a turn was picked */
  constructor(root, onChoose) {
    this.root = root;
    this.svg = document.createElementNS(NS, "svg");
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", gettext("Disc count: equal."));
    this.zero = this.#add("line", { class: "disc-chart__zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    this.area = this.#add("polygon", { class: "disc-chart__area" });
    this.line = this.#add("polyline", { class: "disc-chart__line" });
    this.cursor = this.#add("line", { class: "disc-chart__cursor", y1: 0, y2: HEIGHT });
    root.replaceChildren(this.svg);
    this.count = 0;
    this.total = USUAL;
    this.svg.addEventListener("pointerdown", (event) => this.#pick(event, onChoose));
    this.svg.addEventListener("pointermove", (event) => event.buttons === 1 && this.#pick(event, onChoose));
  }

  /** @param {import("#matches/match-model.js").Turn[]} turns @param {number} index the shown one @param {boolean} isOver */
  draw(turns, index, isOver) {
    const values = leads(turns);
    this.count = values.length;
    this.total = isOver ? Math.max(2, values.length) : Math.max(USUAL, values.length);
    const line = points(values, this.total);
    this.line.setAttribute("points", line);
    const end = round(x(values.length - 1, this.total));
    this.area.setAttribute("points", values.length > 1 ? `0,${HEIGHT / 2} ${line} ${end},${HEIGHT / 2}` : "");
    const at = String(x(Math.max(0, index), this.total));
    this.cursor.setAttribute("x1", at);
    this.cursor.setAttribute("x2", at);
    const lead = values[Math.max(0, index)] ?? 0;
    const text = lead < 0 ? gettext("Disc count: white leads by %s.") : gettext("Disc count: black leads by %s.");
    this.svg.setAttribute("aria-label", lead === 0 ? gettext("Disc count: equal.") : interpolate(text, [Math.abs(lead)]));
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
