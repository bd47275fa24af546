/**
 * The server's time, independent of how the browser's clock is set.
 *
 * Each message carries the server's time when it was sent. Delays can only make the server's clock look late, so the
 * largest offset seen so far is the most accurate one. `performance.now()` runs steadily, however the browser's clock
 * is set.
 */

export class ServerClock {
  /** @param {() => number} measure a monotonic clock in milliseconds */
  constructor(measure = () => performance.now()) {
    this.measure = measure;
    this.offset = -Infinity;
  }

  /** @param {number} at the server's time when it sent a message that has just arrived, in milliseconds since 1970 */
  sync(at) {
    this.offset = Math.max(this.offset, at - this.measure());
  }

  /** @param {number | null} moment @returns {number} milliseconds until then, at least 0; 0 for null */
  until(moment) {
    return moment === null ? 0 : Math.max(0, moment - this.measure() - this.offset);
  }
}
