import assert from "node:assert/strict";
import test from "node:test";

import "../../js/words.mjs";

const { Captions } = await import("../../../arena/games/reversi/static/reversi/captions.js");

/** A view with these discs; the other squares are empty. */
function viewOf(discs, toMove = "X") {
  const board = Array(64).fill(".");
  for (const [square, color] of Object.entries(discs)) board[square] = color;
  const count = (color) => board.filter((cell) => cell === color).length;
  return { board: board.join(""), to_move: toMove, counts: { X: count("X"), O: count("O") } };
}

/** So many black discs, then so many white ones, from B1 on: no corner except H1 and A8. */
const filled = (black, white, toMove) => {
  const squares = [...Array(64).keys()].filter((at) => ![0, 7, 56, 63].includes(at));
  return viewOf(Object.fromEntries(squares.slice(0, black + white).map((at, place) => [at, place < black ? "X" : "O"])), toMove);
};

const turn = (view, ...moves) => ({ view, moves });
const model = (turns, outcome = null) => /** @type {any} */ ({ turns, outcome, seats: [{ name: "Ann" }, { name: "Ben" }], last: turns.length - 1 });

/** Captions of a model whose positions have these values for the side to move, once they are solved. */
async function solved(turns, values, outcome) {
  const captions = new Captions(model(turns, outcome), (board) => Promise.resolve(values[64 - board.replaceAll(".", "").length]));
  captions.facts(turns.length - 1, () => {});
  await new Promise((resolve) => setTimeout(resolve));
  return captions.facts(turns.length - 1, () => {});
}

const never = () => new Promise(() => {});
const first = (view) => new Captions(model([turn(view)]), never).facts(0, () => {});

test("the lead and the empty squares", () => {
  assert.deepEqual(first(filled(30, 5)), [{ code: "lead", values: { name: "Ann", lead: 25, empty: 29 } }]);
  assert.deepEqual(first(filled(5, 6)), [{ code: "lead", values: { name: "Ben", lead: 1, empty: 53 } }]);
  assert.deepEqual(first(filled(6, 6)), [{ code: "even", values: { discs: 6, empty: 52 } }]);
});

test("corners", () => {
  const [, own] = first(viewOf({ 0: "O", 7: "O", 56: "O", 63: "X" }));
  assert.deepEqual(own, { code: "corners", values: { name: "Ben", more: 3, fewer: 1 } });
  assert.equal(first(viewOf({ 0: "O", 63: "X" })).length, 1);
});

test("near the end, the exact result replaces the lead", async () => {
  const view = filled(50, 4, "O");
  assert.equal(first(view)[0].code, "lead");
  const win = await solved([turn(view)], { 10: { value: 6, best: "A1" } });
  assert.deepEqual(win, [{ code: "exact_win", values: { name: "Ben", margin: 6 } }]);
  const draw = await solved([turn(view)], { 10: { value: 0, best: "A1" } });
  assert.deepEqual(draw, [{ code: "exact_draw", values: {} }]);
});

test("positions with many empty squares are not solved", () => {
  let asked = 0;
  const solver = () => {
    asked += 1;
    return never();
  };
  new Captions(model([turn(filled(30, 4))]), solver).facts(0, () => {});
  assert.equal(asked, 0);
});

test("the costliest move stays until the end, with the better one", async () => {
  const turns = [turn(filled(40, 14, "X")), turn(filled(42, 13, "O"), { seat: 0, move: "H8" }), turn(filled(42, 14, "X"), { seat: 1, move: "A1" })];
  const values = { 10: { value: 4, best: "A8" }, 9: { value: 8, best: "A1" }, 8: { value: -8, best: "H1" } };
  const exact = { code: "exact_win", values: { name: "Ben", margin: 8 } };
  const costliest = { code: "costliest", values: { name: "Ann", move: "H8", loss: 12, best: "A8" } };
  assert.deepEqual(await solved(turns, values), [exact, costliest]);
  assert.deepEqual(await solved(turns, values, { winner: 1 }), [costliest]);
});

test("every fact has a sentence", () => {
  const views = [filled(30, 5), filled(6, 6), viewOf({ 0: "X", 1: "O", 2: "O" }), viewOf({ 0: "O", 7: "O", 56: "O", 63: "X" }), filled(30, 32, null)];
  for (const view of views) {
    const text = new Captions(model([turn(view)]), never).at(0, () => {});
    assert.match(text, /\.$/);
    assert.doesNotMatch(text, /undefined|%/);
  }
});
