/** What a game's view is to the pages that show it, which name its module in `data-view`. */

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart forgets what was drawn: the model's turns began anew
 * @property {(index: number) => string} sentence the turn in words, for those who hear the page
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] the view lets a reader pick a turn
 */

/** @typedef {{stage: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

/**
 * What `<game>/view.js` exports; its templates `stage.html` and `side.html` hold what it draws into.
 * @typedef {object} GameModule
 * @property {(parts: Parts, model: import("./match-model.js").MatchModel) => GameView} mount
 * @property {number} TURN_MS milliseconds a turn is shown in a replay at single speed
 */

/** @param {HTMLElement} root of a match @returns {Promise<GameModule>} */
export function loadGame(root) {
  return import(root.dataset.view ?? "");
}
