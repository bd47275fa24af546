/** What a game's view is to the pages that show it, which name its module in `data-view`. */

/** @typedef {any} Move an answer as the rules encode it: JSON */

/**
 * How a person enters a move in the view; a view without it leaves them the list of legal moves.
 * @typedef {object} MoveInput
 * @property {(moves: Move[], play: (move: Move) => void) => void} offer lets the person make one of these; none: not now
 * @property {(move: Move | null) => void} hint points at a move; null: at none
 */

/**
 * Who is ahead on the board.
 * @typedef {object} Lead
 * @property {(index: number) => number | null} at by how much the first seat leads after this turn; of a single seat, what it is worth
 * @property {string} unit of a lead, in the reader's language
 * @property {number} full a lead that decides the match: it fills the bar
 * @property {number} [usualTurns] a chart of a running match has room for so many
 */

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart forgets what was drawn: the model's turns began anew
 * @property {(index: number) => string} sentence the turn in words, for those who hear the page
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] the view lets a reader pick a turn
 * @property {(index: number) => string[]} [scores] what the seats have after this turn, as the title of the page shows it
 * @property {Lead} [lead] absent: nobody is ahead before the end, or many play
 * @property {MoveInput} [moveInput] for a person who holds a seat
 */

/** @typedef {{stage: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

/**
 * What `<game>/view.js` exports; its templates `stage.html` and `side.html` hold what it draws into.
 * @typedef {object} GameModule
 * @property {(parts: Parts, model: import("./match-model.js").MatchModel) => GameView} mount
 * @property {number} TURN_MS milliseconds a turn is shown in a replay at single speed
 * @property {(view: any) => number[]} [asked] the seats whose move a view waits for, where they take turns
 * @property {(view: any, seat: number) => Move[]} [legalMoves] what a seat may play now; none where it is not asked. Without
 *   it the page asks the server after each turn.
 * @property {(move: Move) => string} [moveLabel] a move as readers know it, on its button and in the list of moves
 */

/** @param {HTMLElement} root of a match @returns {Promise<GameModule>} */
export function loadGame(root) {
  return import(root.dataset.view ?? "");
}
