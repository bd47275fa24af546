/**
 * Which players have columns of their own in a table, where there are too many for all of them.
 *
 * Invariant: `first` (inclusive) to `last` (exclusive) are players that there are; a page stays where it is while others join.
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

  /** @param {number} players that there are now */
  update(players) {
    this.players = players;
    if (this.first >= players) this.first = 0;
    this.last = Math.min(this.first + COLUMNS, players);
  }

  /** @param {number} pages to later players; negative to earlier ones */
  turn(pages) {
    const first = this.first + pages * COLUMNS;
    if (first < this.players) this.first = Math.max(0, first);
    this.update(this.players);
  }
}
