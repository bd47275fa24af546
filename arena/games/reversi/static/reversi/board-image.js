/** Draw a position as an image in the browser, without sending anything. */
import { saveFile } from "#site/save-file.js";

const CELL = 80;
const EDGE = 48;
export const SIZE = 8 * CELL + 2 * EDGE;

const COLORS = { edge: "#17472f", board: "#24724f", last: "#6f9247", line: "rgb(0 0 0 / 42%)", text: "#dcead9", X: "#1c1a18", O: "#fbf8f0" };

/**
 * @param {CanvasRenderingContext2D} context of a SIZE × SIZE canvas
 * @param {{board: string, last: string | null}} view
 */
export function draw(context, view) {
  context.fillStyle = COLORS.edge;
  context.fillRect(0, 0, SIZE, SIZE);
  drawLabels(context);
  [...view.board].forEach((cell, index) => {
    const name = "ABCDEFGH"[index % 8] + String(Math.floor(index / 8) + 1);
    drawSquare(context, EDGE + (index % 8) * CELL, EDGE + Math.floor(index / 8) * CELL, cell, name === view.last);
  });
}

/** @param {CanvasRenderingContext2D} context */
function drawLabels(context) {
  context.fillStyle = COLORS.text;
  context.font = "600 22px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let place = 0; place < 8; place += 1) {
    const middle = EDGE + (place + 0.5) * CELL;
    context.fillText("ABCDEFGH"[place], middle, EDGE / 2);
    context.fillText(String(place + 1), EDGE / 2, middle);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} left
 * @param {number} top
 * @param {string} cell
 * @param {boolean} isLast
 */
function drawSquare(context, left, top, cell, isLast) {
  context.fillStyle = isLast ? COLORS.last : COLORS.board;
  context.fillRect(left, top, CELL, CELL);
  context.strokeStyle = COLORS.line;
  context.strokeRect(left + 0.5, top + 0.5, CELL - 1, CELL - 1);
  if (cell === ".") return;
  context.beginPath();
  context.arc(left + CELL / 2, top + CELL / 2, CELL * 0.4, 0, 2 * Math.PI);
  context.fillStyle = cell === "X" ? COLORS.X : COLORS.O;
  context.fill();
}

/** @param {{board: string, last: string | null}} view @param {string} filename the suggested name */
export function saveImage(view, filename) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext("2d");
  if (!context) return;
  draw(context, view);
  canvas.toBlob((blob) => {
    if (blob) saveFile(blob, filename);
  }, "image/png");
}
