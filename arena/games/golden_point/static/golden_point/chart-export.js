/** Export a golden-number chart as a PNG file: the chart as shown, below a title. */

/**
 * @param {HTMLCanvasElement} chart
 * @param {{title: string, subtitle: string, ink: string, muted: string, surface: string}} style
 * @returns {Promise<Blob | null>}
 */
export function exportPng(chart, { title, subtitle, ink, muted, surface }) {
  const scale = devicePixelRatio;
  const margin = 16 * scale;
  const head = 56 * scale;
  const canvas = document.createElement("canvas");
  canvas.width = chart.width + 2 * margin;
  canvas.height = chart.height + head + 2 * margin;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const family = getComputedStyle(document.body).fontFamily;
  ctx.fillStyle = surface;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.textBaseline = "top";
  ctx.fillStyle = ink;
  ctx.font = `700 ${20 * scale}px ${family}`;
  ctx.fillText(title, margin, margin, chart.width);
  ctx.fillStyle = muted;
  ctx.font = `${14 * scale}px ${family}`;
  ctx.fillText(subtitle, margin, margin + 28 * scale, chart.width);
  ctx.drawImage(chart, margin, margin + head);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
