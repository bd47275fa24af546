import assert from "node:assert/strict";
import { test } from "node:test";

import { chainBefore, classOf, stateVariables } from "#studio/state-names.js";

const member = (name, type = "") => ({ name, kind: "property", signature: "", doc: "", type });
/** @type {any} */
const known = {
  state: "State",
  classes: {
    State: { name: "State", doc: "", members: [member("pending", "Card"), member("score", "int")] },
    Card: { name: "Card", doc: "", members: [member("suit")] },
  },
};

test("the argument of get_move is the state, whatever it is called", () => {
  assert.deepEqual([...stateVariables("class AIPlayer:\n    def get_move(self, table):\n        return 1\n")], ["table"]);
  assert.deepEqual([...stateVariables("def get_move(b: Board): pass")], ["b"]);
  assert.deepEqual([...stateVariables("def value(self, board, move=1): pass")], ["board"]);
  assert.deepEqual([...stateVariables("print(board)")], []);
});

test("the text before the cursor is parsed as names joined by dots", () => {
  assert.deepEqual(chainBefore("moves = board.get_le"), { path: ["board"], typed: "get_le" });
  assert.deepEqual(chainBefore("if state.pending."), { path: ["state", "pending"], typed: "" });
  assert.equal(chainBefore("x = 1"), null);
  assert.equal(chainBefore("3."), null);
});

test("a path leads to the class of its last name", () => {
  const variables = new Set(["state"]);
  assert.equal(classOf(known, ["state"], variables)?.name, "State");
  assert.equal(classOf(known, ["state", "pending"], variables)?.name, "Card");
  assert.equal(classOf(known, ["state", "score"], variables), null);
  assert.equal(classOf(known, ["other"], variables), null);
  assert.equal(classOf({ state: "", classes: {} }, ["state"], variables), null);
});
