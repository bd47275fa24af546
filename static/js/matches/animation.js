/** An animated GIF of a match, made in the browser from pictures of its turns. */
import { GIFEncoder, applyPalette, quantize } from "gifenc/dist/gifenc.esm.js";

/** @typedef {{width: number, height: number, frames: string[]}} Frames SVG, as the server draws them */

const WIDTH = 800;
const COLORS = 64;
const MAX_ANIMATION_MS = 30_000; // of the whole animation, unless frames would be too short
const MIN_FRAME_MS = 100;
const LAST_FRAME_MS = 3_000;

/**
 * @param {Frames} frames
 * @param {number} turnMs how long a replay shows a turn
 * @param {(done: number) => void} onProgress called after each frame
 * @returns {Promise<Blob>}
 */
export async function makeAnimation({ width, height, frames }, turnMs, onProgress) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((height / width) * WIDTH);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const encoder = GIFEncoder();
  for (const [index, svg] of frames.entries()) {
    context.drawImage(await pictureOf(svg), 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, COLORS);
    const delay = index === frames.length - 1 ? LAST_FRAME_MS : frameMs(frames.length, turnMs);
    encoder.writeFrame(applyPalette(data, palette), canvas.width, canvas.height, { palette, delay });
    onProgress(index + 1);
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

/** @param {number} count of frames @param {number} turnMs @returns {number} */
export function frameMs(count, turnMs) {
  return Math.round(Math.max(MIN_FRAME_MS, Math.min(turnMs, MAX_ANIMATION_MS / count)));
}

/** @param {string} svg @returns {Promise<HTMLImageElement>} */
async function pictureOf(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  return image;
}
