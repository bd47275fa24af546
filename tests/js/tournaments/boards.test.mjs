import assert from "node:assert/strict";
import { test } from "node:test";

const { changes } = await import("#tournaments/boards.js");
const board = (id, over = false) => ({ id, over, place: `place ${id}` });

test("a match that is played stays, even where another would be more interesting", () => {
  assert.deepEqual(changes([board("1"), board("2")], ["3", "1"]), { leave: [], join: [] });
});

test("a match that is over gives its place to the most interesting new one", () => {
  assert.deepEqual(changes([board("1", true), board("2")], ["4", "2", "3"]), { leave: ["place 1"], join: ["4", "3"] });
});

test("without a new match the last position stays", () => {
  assert.deepEqual(changes([board("1", true)], []), { leave: [], join: [] });
  assert.deepEqual(changes([board("1", true)], ["1"]), { leave: [], join: [] });
});

test("places that are empty are filled", () => {
  assert.deepEqual(changes([], ["7", "8"]), { leave: [], join: ["7", "8"] });
});
