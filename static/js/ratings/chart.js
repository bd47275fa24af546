/**
 * A bot's rating over time: a line within its 95 % CI, with a mark where each version first played.
 *
 * The page has the same figures in a table; the chart appears only if this script runs.
 */
import { ChartFrame, chartFont } from "../charts/frame.js";
import { element, pageData, setText } from "../site/dom.js";
import { spaceNumbers } from "../site/time.js";
import { columns, timeRange, valueRange } from "./chart-data.js";

class RatingChart {
  /** @param {HTMLElement} root @param {any[]} points */
  constructor(root, points) {
    this.root = root;
    this.points = points;
    this.data = columns(points);
    this.caption = element("p", { class: "chart__round muted small" });
    this.plotRoot = element("div", { class: "chart__plot", role: "img", "aria-label": this.#label() });
    root.replaceChildren(this.caption, this.plotRoot);
    root.hidden = false;
    new ChartFrame(this.plotRoot, (colors) => this.#plan(colors), { least: 180, most: 320 }).make(this.data);
    this.#describe(points.length - 1);
  }

  #label() {
    const last = this.points[this.points.length - 1];
    return interpolate(gettext("Chart of the rating over time; now %s. The table below has the values."), [Math.round(last.value)]);
  }

  /** @param {import("../charts/frame.js").Colors} colors @returns {import("../charts/frame.js").Plan} */
  #plan(colors) {
    const [times, , lows, highs] = this.data;
    const edge = { stroke: colors.line, width: 1, points: { show: false } };
    return {
      x: { space: 6, values: (_, splits) => splits.map(day) },
      y: { space: 2.4, size: 3.2 },
      scales: { x: { time: true, range: () => timeRange(times) }, y: { range: () => valueRange(lows, highs) } },
      series: [{}, { stroke: colors.gold, width: 3, points: { show: true, size: 7, fill: colors.gold } }, edge, edge],
      bands: [{ series: [3, 2], fill: `color-mix(in srgb, ${colors.gold} 16%, transparent)` }],
      hooks: {
        drawAxes: [(plot) => this.#mark(plot, colors.muted)],
        setCursor: [(plot) => this.#describe(plot.cursor.idx ?? this.points.length - 1)],
      },
    };
  }

  /**
   * Mark where a version first played with a dashed line and its number.
   * @param {import("../charts/frame.js").Plot} plot
   * @param {string} color
   */
  #mark(plot, color) {
    const { ctx } = plot;
    ctx.save();
    ctx.font = chartFont(devicePixelRatio);
    ctx.textAlign = "left";
    ctx.fillStyle = color;
    ctx.strokeStyle = color;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const [at, point] of this.points.entries()) {
      if (!point.first) continue;
      const x = Math.round(plot.valToPos(this.data[0][at], "x", true));
      ctx.beginPath();
      ctx.moveTo(x, plot.bbox.top);
      ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
      ctx.stroke();
      ctx.fillText(`v${point.version}`, x + 4 * devicePixelRatio, plot.bbox.top + 12 * devicePixelRatio);
    }
    ctx.restore();
  }

  /** @param {number} at */
  #describe(at) {
    const point = this.points[at];
    if (!point) return;
    const figures = {
      day: day(point.time),
      version: point.version,
      value: Math.round(point.value),
      low: Math.round(point.low),
      high: Math.round(point.high),
      matches: point.matches,
    };
    setText(
      this.caption,
      interpolate(gettext("%(day)s, version %(version)s: %(value)s (%(low)s–%(high)s) after %(matches)s matches"), figures, true),
    );
  }
}

/** Return a moment's UTC date, in the reader's language. @param {number} seconds */
function day(seconds) {
  /** @type {Intl.DateTimeFormatOptions} */
  const wanted = { day: "numeric", month: "short", timeZone: "UTC" };
  return spaceNumbers(new Date(seconds * 1000).toLocaleDateString(document.documentElement.lang, wanted));
}

const root = document.querySelector("[data-rating-chart]");
if (root instanceof HTMLElement) new RatingChart(root, pageData("rating-points"));
