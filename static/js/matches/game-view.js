/** What a game's view is to the pages that show it, which name its module in `data-view`. */

/**
 * What a match is to the person who plays in it; a view without it leaves them the list of legal moves.
 * @typedef {object} Playing
 * @property {(moves: string[], play: (move: string) => void) => void} offer lets the person make one of these; none: not now
 * @property {(move: string) => void} hint points at a move; "" at none
 */

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart forgets what was drawn: the model's turns began anew
 * @property {(index: number) => string} sentence the turn in words, for those who hear the page
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] the view lets a reader pick a turn
 * @property {Playing} [playing] for a person who holds a seat
 */

/** @typedef {{stage: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

/**
 * What `<game>/view.js` exports; its templates `stage.html` and `side.html` hold what it draws into.
 * @typedef {object} GameModule
 * @property {(parts: Parts, model: import("./match-model.js").MatchModel) => GameView} mount
 * @property {number} TURN_MS milliseconds a turn is shown in a replay at single speed
 * @property {(view: any) => number[]} [asked] the seats whose move a view waits for, where they take turns
 * @property {(view: any, seat: number) => string[]} [legalMoves] what a seat may play now; none where it is not asked
 */

/** @param {HTMLElement} root of a match @returns {Promise<GameModule>} */
export function loadGame(root) {
  return import(root.dataset.view ?? "");
}
