/**
 * The rounds that a chart shows: the last hundred, all, or a range that the reader chose.
 *
 * Invariant: a window that includes the newest round follows every new one; any other stays in place.
 */

export const WINDOW = 100;
const MIN_ROUNDS_SHOWN = 5; // rounds at the maximum zoom

/** @typedef {{first: number, last: number}} Span rounds, both inclusive */

export class RoundWindow {
  constructor() {
    /** @type {number | null} how many rounds; null: all */
    this.width = WINDOW;
    /** @type {number | null} the last one; null: the newest */
    this.end = null;
  }

  get isLast() {
    return this.width === WINDOW && this.end === null;
  }

  get isAll() {
    return this.width === null;
  }

  showLast() {
    this.width = WINDOW;
    this.end = null;
  }

  showAll() {
    this.width = this.end = null;
  }

  /** @param {number} oldest @param {number} newest the available rounds @returns {Span} */
  span(oldest, newest) {
    const last = Math.max(oldest, Math.min(this.end ?? newest, newest));
    return { first: this.width === null ? oldest : Math.max(oldest, last - this.width + 1), last };
  }

  /**
   * @param {number} factor for the width; below 1 zooms in
   * @param {number} at the round that stays in place
   * @param {number} oldest
   * @param {number} newest
   */
  zoom(factor, at, oldest, newest) {
    const { first, last } = this.span(oldest, newest);
    const before = last - first + 1;
    const wanted = Math.round(before * factor);
    const width = Math.max(MIN_ROUNDS_SHOWN, factor > 1 ? Math.max(wanted, before + 1) : wanted);
    const share = before > 1 ? Math.max(0, Math.min(1, (at - first) / (before - 1))) : 1;
    this.#show(Math.round(at - share * (width - 1)), width, oldest, newest);
  }

  /**
   * @param {number} rounds to move by; negative: to earlier ones
   * @param {number} oldest
   * @param {number} newest
   */
  pan(rounds, oldest, newest) {
    const { first, last } = this.span(oldest, newest);
    const moved = Math.max(oldest - first, Math.min(newest - last, rounds));
    this.#show(first + moved, last - first + 1, oldest, newest);
  }

  /** @param {number} first @param {number} width @param {number} oldest @param {number} newest */
  #show(first, width, oldest, newest) {
    const last = Math.max(first, oldest) + width - 1;
    this.width = width >= newest - oldest + 1 ? null : width;
    this.end = this.width === null || last >= newest ? null : last;
  }
}
