/**
 * Select the players with a column in a table that has no space for all of them.
 *
 * Invariant: `first` (inclusive) to `last` (exclusive) are existing players; the selected page does not move while
 * others join.
 */

export const COLUMNS = 30; // players at once

export class PlayerColumns {
  constructor() {
    this.first = this.last = this.players = 0;
  }

  get isWhole() {
    return this.players <= COLUMNS;
  }

  get isFirst() {
    return this.first === 0;
  }

  get isLast() {
    return this.last === this.players;
  }

  /** @param {number} players the current number */
  update(players) {
    this.players = players;
    if (this.first >= players) this.first = 0;
    this.last = Math.min(this.first + COLUMNS, players);
  }

  /** @param {number} pages forward to later players; negative: back */
  turn(pages) {
    const first = this.first + pages * COLUMNS;
    if (first < this.players) this.first = Math.max(0, first);
    this.update(this.players);
  }
}
