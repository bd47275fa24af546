/**
 * The one table of game views. A view module draws one game: `mount(parts, model)` returns
 * `{ show(index, animate), end(), sentence(index), result() }`, and the templates
 * `components/games/<game>_stage.html` and `_side.html` hold what it draws into.
 */
import * as goldenPoint from "./golden_point.js";
import * as reversi from "./reversi.js";

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart forgets what was drawn: the model's turns began anew
 * @property {(index: number) => string} sentence the turn in words, for those who hear the page
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] the view lets a reader pick a turn
 */

/** @typedef {{stage: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

/** @type {Record<string, {mount(parts: Parts, model: import("../match-model.js").MatchModel): GameView, TURN_MS: number}>} */
export const GAMES = { reversi, golden_point: goldenPoint };
