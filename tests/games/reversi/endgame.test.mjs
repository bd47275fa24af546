import assert from "node:assert/strict";
import test from "node:test";

import { solve } from "../../../arena/games/reversi/static/reversi/endgame.js";

const OTHER = { X: "O", O: "X" };

/** The discs that a move flips, as indices; empty: the move is illegal. */
function flips(board, at, side) {
  if (board[at] !== ".") return [];
  const found = [];
  for (const [columns, rows] of [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]]) {
    const line = [];
    let [column, row] = [(at % 8) + columns, Math.floor(at / 8) + rows];
    const isInside = () => column >= 0 && column < 8 && row >= 0 && row < 8;
    for (; isInside() && board[row * 8 + column] === OTHER[side]; column += columns, row += rows) line.push(row * 8 + column);
    if (isInside() && board[row * 8 + column] === side) found.push(...line);
  }
  return found;
}

function after(board, at, side) {
  const next = [...board];
  for (const one of [at, ...flips(board, at, side)]) next[one] = side;
  return next;
}

const legal = (board, side) => board.flatMap((_, at) => (flips(board, at, side).length > 0 ? [at] : []));

/** The final margin of the side to move, by trying every line of play. */
function tryAll(board, side, hasPassed = false) {
  const moves = legal(board, side);
  if (moves.length > 0) return Math.max(...moves.map((at) => -tryAll(after(board, at, side), OTHER[side])));
  if (!hasPassed) return -tryAll(board, OTHER[side], true);
  const count = (wanted) => board.filter((cell) => cell === wanted).length;
  const margin = count(side) - count(OTHER[side]);
  return margin + Math.sign(margin) * count(".");
}

/**
 * A position with so many empty squares, after random moves.
 * @returns {any}
 */
function position(empty, seed) {
  let state = seed;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  let board = [...`${".".repeat(27)}OX......XO${".".repeat(27)}`];
  let side = "X";
  while (board.filter((cell) => cell === ".").length > empty) {
    const moves = legal(board, side);
    if (moves.length > 0) board = after(board, moves[random(moves.length)], side);
    else if (legal(board, OTHER[side]).length === 0) return position(empty, seed + 1000);
    side = OTHER[side];
  }
  return { board, side };
}

test("the value is that of trying every line, and the best move reaches it", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { board, side } = position(1 + (seed % 7), seed);
    const { value, best } = solve(board.join(""), side);
    assert.equal(value, tryAll(board, side), `seed ${seed}`);
    if (best === null) assert.deepEqual(legal(board, side), []);
    else {
      const at = "ABCDEFGH".indexOf(best[0]) + 8 * (Number(best[1]) - 1);
      assert.equal(-tryAll(after(board, at, side), OTHER[side]), value, `seed ${seed}: ${best}`);
    }
  }
});

test("empty squares count for the winner", () => {
  assert.deepEqual(solve(`XXX${".".repeat(61)}`, "O"), { value: -64, best: null });
});
