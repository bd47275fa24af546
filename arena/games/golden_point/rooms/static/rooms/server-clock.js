/**
 * The server's time of day, whatever the browser's clock says.
 *
 * What the server sends tells its time when it was sent; the less it was delayed, the later a time it tells. So of all
 * that came the latest is the truest. The browser's own measure goes on even, however its clock is set.
 */

export class ServerClock {
  /** @param {() => number} measure milliseconds that pass, from wherever */
  constructor(measure = () => performance.now()) {
    this.measure = measure;
    this.offset = -Infinity;
  }

  /** @param {number} at the server's time when it sent something that came just now, in milliseconds since 1970 */
  sync(at) {
    this.offset = Math.max(this.offset, at - this.measure());
  }

  /** @param {number | null} moment @returns {number} milliseconds until then, at least 0; 0 without a moment */
  until(moment) {
    return moment === null ? 0 : Math.max(0, moment - this.measure() - this.offset);
  }
}
