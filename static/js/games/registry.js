/**
 * The one table of game views. A view module draws one game: `mount(parts, model)` returns
 * `{ show(index, animate), end(), sentence(index), result() }`, and the templates
 * `components/games/<game>_stage.html` and `_side.html` hold what it draws into.
 */
import * as goldenPoint from "./golden_point/view.js";
import * as reversi from "./reversi/view.js";

/** @type {Record<string, {mount(parts: import("./game-view.js").Parts, model: import("./match-model.js").MatchModel): import("./game-view.js").GameView, TURN_MS: number}>} */
export const GAMES = { reversi, golden_point: goldenPoint };
