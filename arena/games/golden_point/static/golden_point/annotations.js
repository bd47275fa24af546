/**
 * The annotations above a chart's plot, where they cover nothing: lines for the names of the nearest and farthest
 * players (see `marks.js`), then lines for the numbers above the plot (see `off-scale-numbers.js`).
 */
const CHARACTERS = 20; // of a name; nicknames fit in full
const NARROW = 480; // pixels; a narrower chart puts each kind on its own line, unless it is shorter than `SHORT`
const SHORT = 200; // pixels
/** The height of a line, as a multiple of the font size. */
export const LINE = 1.35;

/** @param {string} name */
export const shortName = (name) => (name.length > CHARACTERS ? `${name.slice(0, CHARACTERS - 1)}…` : name);

/** @param {{width: number, height: number}} chart in CSS pixels @returns {boolean} whether each kind has its own line */
export const isStacked = ({ width, height }) => width < NARROW && height >= SHORT;

/**
 * @param {{width: number, height: number}} chart
 * @param {number} size the font size; all in CSS pixels
 * @param {number} offScaleLines the lines reserved for the numbers above the plot; see `offScaleLineCount`
 * @param {number} [nameLines] the lines reserved for the names; see `linesOfNames`
 * @returns {number} the annotations' height
 */
export function annotationHeight(chart, size, offScaleLines, nameLines = isStacked(chart) ? 2 : 1) {
  return Math.ceil(size * LINE * (nameLines + offScaleLines) + size * 0.4);
}

/** @param {number} size in CSS pixels @param {string} family */
export const annotationFont = (size, family) => `600 ${size * devicePixelRatio}px ${family}`;

/**
 * Return the width of a line, which may extend beyond the plot on a projector and below the names.
 * @param {import("#charts/frame.js").Plot} plot
 * @param {number} size the font size in pixels of the canvas
 */
export const availableWidth = (plot, size) => plot.width * devicePixelRatio - (plot.bbox.left || 0) - size * 2;
