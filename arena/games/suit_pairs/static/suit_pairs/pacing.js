/** Show turns that arrived together one by one, so that a person sees what their opponent did. */

export class Pacing {
  /**
   * @param {(index: number) => void} draw
   * @param {(index: number) => number} wait milliseconds before drawing this turn
   */
  constructor(draw, wait) {
    this.draw = draw;
    this.wait = wait;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.shown = -1;
    this.last = -1;
    /** @type {(() => void) | null} */
    this.then = null;
  }

  get isIdle() {
    return this.shown >= this.last;
  }

  /** Draw this turn and skip the pending ones. @param {number} index */
  jump(index) {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shown = this.last = index;
    this.draw(index);
    this.#finish();
  }

  /** Draw the turns up to this one in order. @param {number} index */
  play(index) {
    this.last = index;
    if (this.timer === undefined) this.#next();
  }

  /** Draw the turn `from`, and then replay the turns up to the last one by one. @param {number} from */
  replay(from) {
    const { last } = this;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shown = from;
    this.draw(from);
    this.play(last);
  }

  /** Call `then` once, as soon as all turns are drawn. @param {(() => void) | null} then */
  whenIdle(then) {
    this.then = then;
    if (this.isIdle) this.#finish();
  }

  #next() {
    while (!this.isIdle) {
      const wait = this.wait(this.shown + 1);
      if (wait > 0) {
        this.timer = setTimeout(() => this.#step(), wait);
        return;
      }
      this.shown += 1;
      this.draw(this.shown);
    }
    this.#finish();
  }

  #step() {
    this.timer = undefined;
    this.shown += 1;
    this.draw(this.shown);
    this.#next();
  }

  #finish() {
    const { then } = this;
    this.then = null;
    then?.();
  }
}
