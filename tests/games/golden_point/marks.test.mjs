import assert from "node:assert/strict";
import { test } from "node:test";
import "../../js/words.mjs";
import { legendText, paintMarks, textAbove } from "../../../arena/games/golden_point/static/golden_point/marks.js";

/** A plot up to the value `highest`, whose canvas records the text and the colors that are used. */
function recordingPlot(highest = 100, width = 800) {
  const texts = [];
  const colors = new Set();
  const ctx = new Proxy({ measureText: () => ({ width: 10 }), fillText: (text) => texts.push(text) }, {
    get: (target, name) => target[name] ?? (() => {}),
    set: (_, name, value) => {
      if (name === "fillStyle" || name === "strokeStyle") colors.add(value);
      return true;
    },
  });
  const plot = { ctx, width, bbox: { left: 0, top: 40, width }, valToPos: () => 100, scales: { y: { max: highest } } };
  return { texts, colors, plot: /** @type {any} */ (plot) };
}

test("the legend says what each mark means, in a color that no player has", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot();
  const round = { round: 3, golden: 10, nearest: [0], farthest: [1], numbers: [[10], [90]], scores: [1, -1], gains: [1, -1] };
  paintMarks(plot, round, [{ name: "Ann" }, { name: "Ben" }], { color: "#111", surface: "#fff", size: 12, family: "sans" });
  assert.deepEqual(texts.sort(), ["Farthest · Ben", "Nearest · Ann"]);
  assert.deepEqual([...colors], ["#111"]);
});

const ABOVE = { round: 3, golden: 10, nearest: [], farthest: [1], numbers: [[10, 37], [50, 60.25]], scores: [1, -1], gains: [1, -1] };
const LOOK = { color: "#111", surface: "#fff", size: 12, family: "sans" };

test("numbers above the plot are listed beside the names, where they cover nothing", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot(37);
  paintMarks(plot, ABOVE, [{ name: "Ann" }, { name: "Ben" }], LOOK);
  assert.deepEqual(texts, ["Farthest · Ben", "60.25 · 50"]);
  assert.deepEqual([...colors], ["#111"]);
});

test("a chart without room for the list writes the numbers into the plot, on the background's colour", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot(37, 40);
  paintMarks(plot, ABOVE, [{ name: "Ann" }, { name: "Ben" }], LOOK);
  assert.deepEqual(texts, ["Farthest · Ben", "60.25 · 50"]);
  assert.deepEqual([...colors], ["#111", "#fff"]);
});

test("only the highest of many numbers above the plot are written", () => {
  const numbers = [...Array.from({ length: 9 }, (_, seat) => [90 + seat]), null];
  const round = { round: 1, golden: 10, nearest: [], farthest: [], numbers, scores: [], gains: [] };
  assert.equal(textAbove(round, 80), "98 · 97 · 96 · 95 …");
  assert.equal(textAbove(round, 80, 1), "98 …");
  assert.equal(textAbove(round, 100), "");
});

test("a legend shortens long lists of players", () => {
  assert.equal(legendText("Nearest", ["Ann", "Ben", "Cem"], 1), "Nearest · Ann and 2 more");
});
