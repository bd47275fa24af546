import assert from "node:assert/strict";
import { test } from "node:test";
import "../../js/words.mjs";
import { legendText, paintMarks } from "../../../arena/games/golden_point/static/golden_point/marks.js";

/** A plot whose canvas records the text and the colors that are used. */
function recordingPlot() {
  const texts = [];
  const colors = new Set();
  const ctx = new Proxy({ measureText: () => ({ width: 10 }), fillText: (text) => texts.push(text) }, {
    get: (target, name) => target[name] ?? (() => {}),
    set: (_, name, value) => {
      if (name === "fillStyle" || name === "strokeStyle") colors.add(value);
      return true;
    },
  });
  const plot = { ctx, width: 800, bbox: { left: 0, top: 40, width: 800 }, valToPos: () => 0 };
  return { texts, colors, plot: /** @type {any} */ (plot) };
}

test("the legend says what each mark means, in a color that no player has", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot();
  const round = { round: 3, golden: 10, nearest: [0], farthest: [1], numbers: [[10], [90]], scores: [1, -1], gains: [1, -1] };
  paintMarks(plot, round, [{ name: "Ann" }, { name: "Ben" }], { color: "#111", size: 12, family: "sans" });
  assert.deepEqual(texts.sort(), ["Farthest · Ben", "Nearest · Ann"]);
  assert.deepEqual([...colors], ["#111"]);
});

test("a legend shortens long lists of players", () => {
  assert.equal(legendText("Nearest", ["Ann", "Ben", "Cem"], 1), "Nearest · Ann and 2 more");
});
