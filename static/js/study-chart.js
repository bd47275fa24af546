/**
 * The curve of an analysis: by how many discs black is ahead after each move. A press leads to the move.
 *
 * The page holds the same figures as a table; the curve appears only where this script runs.
 */
import uPlot from "../vendor/uplot/uPlot.esm.js";
import { element, setText } from "./dom.js";
import { themeColors } from "./seat-signs.js";
import { curve, leadRange, marked } from "./study-points.js";

const GOLDEN_RATIO = 1.618;

export class StudyChart {
  /**
   * @param {HTMLElement} root
   * @param {(ply: number) => void} onChoose
   */
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.caption = element("p", { class: "chart__round muted small" });
    this.plotRoot = element("div", { class: "chart__plot", role: "img", "aria-label": gettext("Curve of black's lead after each move. The table below has the figures.") });
    root.replaceChildren(this.caption, this.plotRoot);
    this.positions = [];
    this.shown = 0;
    new ResizeObserver(() => this.plot?.setSize(this.#size())).observe(this.plotRoot);
    document.addEventListener("themechange", () => this.#draw());
  }

  /** @param {any[]} positions */
  update(positions) {
    this.positions = positions;
    this.root.hidden = !positions.some((position) => position.value !== null);
    if (!this.root.hidden) this.#draw();
  }

  /** @param {number} ply the position on the board */
  show(ply) {
    this.shown = ply;
    this.#tell(ply);
    this.plot?.redraw(false);
  }

  #size() {
    const width = Math.max(200, Math.floor(this.plotRoot.clientWidth));
    return { width, height: Math.round(Math.max(200, Math.min(width / GOLDEN_RATIO, 340))) };
  }

  #draw() {
    if (this.root.hidden) return;
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const colors = { ...themeColors(), proven: style.getPropertyValue("--green").trim(), bad: style.getPropertyValue("--red-text").trim(), warn: style.getPropertyValue("--amber-text").trim() };
    const rem = parseFloat(style.fontSize);
    const font = `${Math.round(rem * 0.78)}px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: colors.muted, font, grid: { stroke: colors.line, width: 1 }, ticks: { show: false } };
    const points = { show: false };
    this.plot = new uPlot(
      {
        ...this.#size(),
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { size: 8, fill: colors.gold, stroke: colors.surface, width: 2 } },
        scales: { x: { time: false, range: () => [-0.5, Math.max(4, this.positions.length - 0.5)] }, y: { range: () => leadRange(this.positions) } },
        axes: [
          { ...axis, grid: { show: false }, size: rem * 1.9, space: rem * 3, incrs: [1, 2, 5, 10] },
          { ...axis, size: rem * 2.6, space: rem * 2, incrs: [2, 4, 8, 16, 32], values: (_, splits) => splits.map(lead) },
        ],
        series: [
          {},
          { stroke: colors.gold, width: 2, dash: [5, 4], points },
          { stroke: colors.proven, width: 3, points },
        ],
        hooks: {
          drawAxes: [(plot) => this.#lines(plot, colors)],
          draw: [(plot) => this.#marks(plot, colors)],
          setCursor: [(plot) => this.#tell(plot.cursor.idx ?? this.shown)],
        },
      },
      curve(this.positions),
      this.plotRoot,
    );
    this.plot.over.addEventListener("click", () => {
      const at = this.plot?.cursor.idx;
      if (at !== null && at !== undefined) this.onChoose(this.positions[at].ply);
    });
    this.#tell(this.shown);
  }

  /** Zero, and the position on the board. */
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

  /** Mistakes as diamonds, blunders as discs: told apart by shape, not by colour alone. */
  #marks(plot, colors) {
    const { ctx } = plot;
    const size = 5 * devicePixelRatio;
    ctx.save();
    for (const position of marked(this.positions)) {
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

  #tell(at) {
    const position = this.positions[at];
    if (!position) return;
    const move = position.view.last;
    const where = move ? interpolate(gettext("Move %(n)s, %(move)s"), { n: position.ply, move }, true) : gettext("Start");
    const worth = position.value === null ? "" : `: ${position.exact ? "" : "≈ "}${lead(position.value)}`;
    setText(this.caption, where + worth);
  }
}

/** Discs with their sign, black's side up. @param {number} value */
function lead(value) {
  const shown = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(1);
  return value > 0 ? `+${shown}` : value < 0 ? `−${shown}` : "0";
}
