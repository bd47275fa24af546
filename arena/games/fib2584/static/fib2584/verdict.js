/** What a seat's match was worth, from its turns: score, luck, regret, and the worst move. No document. */

/** @typedef {import("#matches/match-model.js").Turn} Turn */
/** @typedef {{turn: number, direction: number, board: string, regret: number}} WorstMove `turn`: the one that shows the board */
/** @typedef {{raw: number, adjusted: number, luck: number, regret: number, worst: WorstMove | null}} Verdict a game */

/** @param {Turn[]} turns @param {number} seat @param {number} start V(start) @returns {Verdict | null} null before the first turn */
export function verdict(turns, seat, start) {
  const view = turns.at(-1)?.view;
  if (!view) return null;
  const raw = view.totals[seat] / view.game;
  const adjusted = view.adjusted[seat];
  return { raw, adjusted, luck: raw - adjusted, regret: start - adjusted, worst: worstMove(turns, seat) };
}

/** @param {Turn[]} turns @param {number} seat @returns {WorstMove | null} null where no move gave anything away */
function worstMove(turns, seat) {
  /** @type {WorstMove | null} */
  let worst = null;
  turns.forEach(({ moves, view }, at) => {
    const regret = view.regrets[seat];
    const played = moves.find((move) => move.seat === seat);
    if (!regret || !played || played.fault || regret <= (worst?.regret ?? 0)) return;
    worst = { turn: at - 1, direction: played.move, board: turns[at - 1].view.boards[seat], regret };
  });
  return worst;
}
