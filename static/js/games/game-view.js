/** What a game's view is to the pages that show it. Types only: the registry imports the views, so they cannot name it. */

/**
 * @typedef {object} GameView
 * @property {(index: number, animate: boolean) => void} show draws the match after the turn of this index
 * @property {() => void} restart forgets what was drawn: the model's turns began anew
 * @property {(index: number) => string} sentence the turn in words, for those who hear the page
 * @property {() => string} result who won and how, once there is an outcome
 * @property {(chosen: (index: number) => void) => void} [onChoose] the view lets a reader pick a turn
 */

/** @typedef {{stage: HTMLElement, side: HTMLElement | null}} Parts `side` is absent in small views */

export {};
