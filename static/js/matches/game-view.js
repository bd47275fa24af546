/** The interface of a game's view, whose module the pages name in `data-view`. */

/** @typedef {any} Move an answer as the rules encode it: JSON */

/**
 * A person's input in the view; without it, they use the list of legal moves.
 * @typedef {object} MoveInput
 * @property {(moves: Move[], play: (move: Move) => void) => void} offer lets the person make one of these moves; empty:
 * no move now
 * @property {(move: Move | null) => void} hint highlights a move; null: none
 */

/**
 * The lead on the board.
 * @typedef {object} Lead
 * @property {(index: number) => number | null} at the first seat's lead after this turn; with a single seat, its value
 * @property {(size: number) => string} unit the unit of a lead of this size, in the reader's language
 * @property {number} full a decisive lead, which fills the bar
 * @property {number} [usualTurns] how many turns the chart of a running match has space for
 */

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart discards what was drawn, because the model starts over without turns
 * @property {(index: number) => string} sentence the turn in words, for screen readers
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] registers a function to call when the reader picks a turn in the view
 * @property {(index: number) => string[]} [scores] what the seats have after this turn, as titles show it
 * @property {(index: number) => number[]} [ranks] the seats' ranks after this turn, if a match can have more than two seats
 * @property {(index: number, changed: () => void) => string} [caption] the most informative sentences about the match
 * after this turn, for the big screen; `changed` is called if they become more exact later
 * @property {Lead} [lead] absent if nobody is ahead before the end, or if the match has more than two seats
 * @property {MoveInput} [moveInput] for a person who holds a seat
 */

/** @typedef {{display: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

/**
 * The exports of `<game>/view.js`, which draws into the game's templates `display.html` and `side.html`.
 * @typedef {object} GameModule
 * @property {(parts: Parts, model: import("./match-model.js").MatchModel) => GameView} mount
 * @property {number} TURN_MS milliseconds per turn in a replay at normal speed
 * @property {(view: any) => number[]} [seatsToMove] the seats whose move a view waits for, if they take turns
 * @property {(view: any, seat: number) => Move[]} [legalMoves] the moves that a seat may play now; empty if it is not
 * its turn. Without this function, the page asks the server after each turn.
 * @property {(turn: number, turns: number) => string} [turnText] "Turn 5 of 60" in the game's own words
 * @property {(move: Move) => string} [moveLabel] the label of a move, on its button and in the list of moves
 */

/**
 * Return the shown turn in the words of the game, as in `TurnWords.position` in site.py.
 * @param {GameModule} game
 * @param {number} index
 * @param {number} last
 * @returns {string}
 */
export function turnText(game, index, last) {
  const turn = Math.max(0, index);
  return game.turnText?.(turn, last) ?? interpolate(gettext("Turn %(turn)s of %(turns)s"), { turn, turns: last }, true);
}

/** @param {HTMLElement} root of a match @returns {Promise<GameModule>} */
export function loadGame(root) {
  return import(root.dataset.view ?? "");
}
