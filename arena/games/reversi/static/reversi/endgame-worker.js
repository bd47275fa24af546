/** Web worker that solves positions near the end of a match: receives `{id, board, side}`, posts `{id, solution}`. */
import { solve } from "./endgame.js";

addEventListener("message", ({ data: { id, board, side } }) => postMessage({ id, solution: solve(board, side) }));
