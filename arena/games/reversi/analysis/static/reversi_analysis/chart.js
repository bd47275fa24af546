/**
 * The curve of an analysis: black's lead in discs after each move. A click goes to the move.
 *
 * The page has the same figures in a table; the curve appears only if this script runs.
 */
import { ChartFrame } from "#charts/frame.js";
import { element, setText } from "#site/dom.js";
import { signed } from "#site/format.js";
import { curveColumns, leadRange, markedMoves } from "./chart-data.js";

export class AnalysisChart {
  /**
   * @param {HTMLElement} root
   * @param {(ply: number) => void} onChoose
   */
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.caption = element("p", { class: "chart__round muted small" });
    const place = element("div", { class: "chart__plot", role: "img", "aria-label": gettext("Chart of Black's lead after each move. The table below has the values.") });
    root.replaceChildren(this.caption, place);
    this.frame = new ChartFrame(place, (colors) => this.#plan(colors), { least: 200, most: 340 });
    /** @type {any[]} */
    this.positions = [];
    this.shown = 0;
  }

  /** @param {any[]} positions */
  update(positions) {
    this.positions = positions;
    this.root.hidden = !positions.some((position) => position.value !== null);
    if (this.root.hidden) return;
    this.frame.update(curveColumns(positions));
    this.#describe(this.shown);
  }

  /** @param {number} ply the position on the board */
  show(ply) {
    this.shown = ply;
    this.#describe(ply);
    this.frame.plot?.redraw(false);
  }

  /** @param {import("#charts/frame.js").Colors} colors @returns {import("#charts/frame.js").Plan} */
  #plan(colors) {
    const points = { show: false };
    return {
      x: { space: 3, incrs: [1, 2, 5, 10] },
      y: { space: 2, size: 2.6, incrs: [2, 4, 8, 16, 32], values: (_, splits) => splits.map(signed) },
      cursor: { points: { size: 8, fill: colors.gold, stroke: colors.surface, width: 2 } },
      scales: { x: { time: false, range: () => [-0.5, Math.max(4, this.positions.length - 0.5)] }, y: { range: () => leadRange(this.positions) } },
      series: [{}, { stroke: colors.gold, width: 2, dash: [5, 4], points }, { stroke: colors.green, width: 3, points }],
      hooks: {
        init: [(plot) => plot.over.addEventListener("click", () => this.#choose(plot.cursor.idx))],
        drawAxes: [(plot) => this.#lines(plot, colors)],
        draw: [(plot) => this.#marks(plot, colors)],
        setCursor: [(plot) => this.#describe(plot.cursor.idx ?? this.shown)],
      },
    };
  }

  /** @param {number | null | undefined} at */
  #choose(at) {
    if (at !== null && at !== undefined) this.onChoose(this.positions[at].ply);
  }

  /**
   * Draw the zero line and the shown position.
   * @param {import("#charts/frame.js").Plot} plot
   * @param {import("#charts/frame.js").Colors} colors
   */
  #lines(plot, colors) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    ctx.strokeStyle = colors.muted;
    const zero = Math.round(plot.valToPos(0, "y", true));
    ctx.beginPath();
    ctx.moveTo(bbox.left, zero);
    ctx.lineTo(bbox.left + bbox.width, zero);
    ctx.stroke();
    ctx.strokeStyle = colors.ink;
    const at = Math.round(plot.valToPos(this.shown, "x", true));
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  /**
   * Draw mistakes as diamonds and blunders as discs, so that they differ in shape, not only in colour.
   * @param {import("#charts/frame.js").Plot} plot
   * @param {import("#charts/frame.js").Colors} colors
   */
  #marks(plot, colors) {
    const { ctx } = plot;
    const size = 5 * devicePixelRatio;
    ctx.save();
    for (const position of markedMoves(this.positions)) {
      const x = plot.valToPos(position.ply, "x", true);
      const y = plot.valToPos(position.value, "y", true);
      ctx.beginPath();
      ctx.fillStyle = position.grade === "blunder" ? colors.bad : colors.warn;
      if (position.grade === "blunder") {
        ctx.arc(x, y, size, 0, 2 * Math.PI);
      } else {
        ctx.moveTo(x, y - size);
        ctx.lineTo(x + size, y);
        ctx.lineTo(x, y + size);
        ctx.lineTo(x - size, y);
      }
      ctx.fill();
    }
    ctx.restore();
  }

  /** @param {number} at */
  #describe(at) {
    const position = this.positions[at];
    if (!position) return;
    const move = position.view.last;
    const where = move ? interpolate(gettext("Move %(n)s, %(move)s"), { n: position.ply, move }, true) : gettext("Start");
    const worth = position.value === null ? "" : `: ${position.exact ? "" : "≈ "}${signed(position.value)}`;
    setText(this.caption, where + worth);
  }
}
