import assert from "node:assert/strict";
import { test } from "node:test";
import "../../js/words.mjs";
import { legendText, linesOfNames, paintMarks } from "../../../arena/games/golden_point/static/golden_point/marks.js";
import { offScaleLineCount, offScaleNumbers } from "../../../arena/games/golden_point/static/golden_point/off-scale-numbers.js";
import { annotationHeight } from "../../../arena/games/golden_point/static/golden_point/annotations.js";
import { withoutTop } from "../../../arena/games/golden_point/static/golden_point/plot.js";

/** A plot up to the value `highest`, whose canvas records the text and the colors that are used. */
function recordingPlot(highest = 100, width = 800) {
  const texts = [];
  const colors = new Set();
  const places = [];
  const fillText = (text, _x, y) => {
    texts.push(text);
    places.push([text, y]);
  };
  const ctx = new Proxy({ measureText: (text) => ({ width: text.length }), fillText }, {
    get: (target, name) => target[name] ?? (() => {}),
    set: (_, name, value) => {
      if (name === "fillStyle" || name === "strokeStyle") colors.add(value);
      return true;
    },
  });
  const plot = { ctx, width, bbox: { left: 0, top: 40, width }, valToPos: () => 100, scales: { y: { max: highest } } };
  return { texts, places, colors, plot: /** @type {any} */ (plot) };
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
const STYLE = { color: "#111", surface: "#fff", size: 12, family: "sans" };
const PROJECTOR = { ...STYLE, onProjector: true };

test("numbers above the plot are listed beside the names, where they cover nothing", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot(37);
  paintMarks(plot, ABOVE, [{ name: "Ann" }, { name: "Ben" }], STYLE);
  assert.deepEqual(texts, ["Farthest · Ben", "Ben 60.25 · Ben 50"]);
  assert.deepEqual([...colors], ["#111"]);
});

test("on a projector, numbers above the plot have a line of their own below the names", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, places } = recordingPlot(37);
  const seats = [{ name: "Ann" }, { name: "Ben" }];
  const offScaleLines = offScaleLineCount(plot, ABOVE, seats, PROJECTOR);
  assert.equal(offScaleLines, 1);
  paintMarks(plot, ABOVE, seats, { ...STYLE, offScaleLines });
  const [[, names], [list, below]] = places;
  assert.equal(list, "Ben 60.25 · Ben 50");
  assert.ok(names < below && below < plot.bbox.top, `${names} ${below}`);
  const chart = { width: 800, height: 400 };
  assert.ok(annotationHeight(chart, 12, 1) > annotationHeight(chart, 12, 0));
});

test("on a phone, numbers above the plot have a line between the names and the plot", () => {
  globalThis.devicePixelRatio = 1;
  const chart = { width: 340, height: 260 };
  const seats = [{ name: "Ann" }, { name: "Ben" }];
  const { plot: canvas, places } = recordingPlot(37, chart.width);
  const plot = { ...canvas, ...chart };
  plot.bbox.top = annotationHeight(chart, 12, 1);
  const round = { ...ABOVE, nearest: [0] };
  const offScaleLines = offScaleLineCount(plot, round, seats, { ...STYLE, onProjector: false });
  assert.equal(offScaleLines, 1);
  paintMarks(plot, round, seats, { ...STYLE, offScaleLines });
  const heights = new Map(places);
  const below = heights.get("Ben 60.25 · Ben 50") ?? NaN;
  assert.ok(below < plot.bbox.top - 6, `${below} is outside the plot`);
  for (const name of ["Nearest · Ann", "Farthest · Ben"]) assert.ok((heights.get(name) ?? NaN) < below - 12, name);
  assert.equal(offScaleLineCount({ ...plot, width: 800 }, round, seats, { ...STYLE, onProjector: false }), 0, "beside the names");
});

test("on a projector, five long names take two lines, and none is left out", () => {
  globalThis.devicePixelRatio = 1;
  const numbers = Array.from({ length: 7 }, (_, seat) => [90 + seat]);
  const seats = numbers.map((_, seat) => ({ name: `Student number ${seat}` }));
  const { plot, texts } = recordingPlot(80, 124);
  const round = { ...ABOVE, farthest: [], numbers };
  assert.equal(offScaleLineCount(plot, round, seats, PROJECTOR), 2);
  paintMarks(plot, round, seats, { ...STYLE, offScaleLines: 2 });
  assert.deepEqual(texts, [
    "Student number 6 96 · Student number 5 95 · Student number 4 94 · Student number 3 93",
    "Student number 2 92 · +2 more",
  ]);
  assert.equal(offScaleLineCount(recordingPlot(100).plot, round, seats, PROJECTOR), 0);
});

test("on a projector, names that do not fit side by side have a line each, in full", () => {
  globalThis.devicePixelRatio = 1;
  const seats = [{ name: "Alexandra Montgomery" }, { name: "Natasha Kuznetsova-I" }];
  const round = { ...ABOVE, nearest: [0], farthest: [1], numbers: [[10], [60]] };
  const { plot, places } = recordingPlot(80, 160);
  assert.equal(linesOfNames(recordingPlot(80, 160).plot, round, seats, PROJECTOR), 1);
  const narrow = recordingPlot(80, 130);
  assert.equal(linesOfNames(narrow.plot, round, seats, PROJECTOR), 2);
  assert.equal(linesOfNames(narrow.plot, round, seats, { ...PROJECTOR, onProjector: false }), 1, "a page has one line");
  paintMarks(plot, round, seats, { ...PROJECTOR, nameLines: 2 });
  assert.deepEqual(places.map(([text]) => text), ["Nearest · Alexandra Montgomery", "Farthest · Natasha Kuznetsova-I"]);
  assert.ok(places[1][1] - places[0][1] >= 12);
});

test("lines of the grid do not run through the row of triangles", () => {
  const plot = { height: 400, scales: { y: { min: 0, max: 20.5 } } };
  assert.deepEqual(withoutTop(plot, [0, 10, 20], 12), [0, 10, null]);
  assert.deepEqual(withoutTop({ ...plot, scales: { y: { min: 0, max: 24 } } }, [0, 10, 20], 12), [0, 10, 20]);
});

test("a chart without space for the list writes the numbers into the plot, on the background's colour", () => {
  globalThis.devicePixelRatio = 1;
  const { plot, texts, colors } = recordingPlot(37, 40);
  paintMarks(plot, ABOVE, [{ name: "Ann" }, { name: "Ben" }], STYLE);
  assert.deepEqual(texts, ["Farthest · Ben", "Ben 60.25 · Ben 50"]);
  assert.deepEqual([...colors], ["#111", "#fff"]);
});

test("only the highest of many numbers above the plot are written", () => {
  const numbers = [...Array.from({ length: 9 }, (_, seat) => [90 + seat]), null];
  const round = { round: 1, golden: 10, nearest: [], farthest: [], numbers, scores: [], gains: [] };
  const seats = numbers.map((_, seat) => ({ name: `P${seat}` }));
  assert.deepEqual(offScaleNumbers(round, 80, seats), ["P8 98", "P7 97", "P6 96", "P5 95", "P4 94", "+4 more"]);
  assert.deepEqual(offScaleNumbers(round, 93, seats), ["P8 98", "P7 97", "P6 96", "P5 95", "P4 94"]);
  assert.deepEqual(offScaleNumbers(round, 80, null, 1), ["98", "+8 more"]);
  assert.deepEqual(offScaleNumbers(round, 100, seats), []);
});

test("a legend shortens long lists of players", () => {
  assert.equal(legendText("Nearest", ["Ann", "Ben", "Cem"], 1), "Nearest · Ann and 2 more");
});
