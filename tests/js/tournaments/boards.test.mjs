import assert from "node:assert/strict";
import { test } from "node:test";

const { boardChanges } = await import("#tournaments/boards.js");
const board = (id, over = false) => ({ id, over, place: `place ${id}` });

test("a running match stays, even if another one is more interesting", () => {
  assert.deepEqual(boardChanges([board("1"), board("2")], ["3", "1"]), { leave: [], join: [] });
});

test("a finished match is replaced by the most interesting new one", () => {
  assert.deepEqual(boardChanges([board("1", true), board("2")], ["4", "2", "3"]), { leave: ["place 1"], join: ["4", "3"] });
});

test("without a new match, the final position stays", () => {
  assert.deepEqual(boardChanges([board("1", true)], []), { leave: [], join: [] });
  assert.deepEqual(boardChanges([board("1", true)], ["1"]), { leave: [], join: [] });
});

test("empty places are filled", () => {
  assert.deepEqual(boardChanges([], ["7", "8"]), { leave: [], join: ["7", "8"] });
});
