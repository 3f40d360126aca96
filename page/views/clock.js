// The clock of a game. Times are in milliseconds.
export class Clock {
  constructor() {
    this.reset();
  }

  /** Sets the clock to a time. It does not run. */
  reset(ms = 0) {
    Object.assign(this, { before: ms, from: null, isStopped: false, until: null });
  }

  get isRunning() {
    return this.from !== null;
  }

  get elapsed() {
    return this.before + (this.isRunning ? performance.now() - this.from : 0);
  }

  /** Time left for inspection; null if there is none. */
  get inspection() {
    return this.until === null ? null : this.until - performance.now();
  }

  inspect(ms) {
    this.until = performance.now() + ms;
  }

  start() {
    this.until = null;
    if (!this.isStopped) this.from ??= performance.now();
  }

  /** Stops the clock until the next start. */
  pause() {
    Object.assign(this, { before: this.elapsed, from: null, until: null });
  }

  /** Stops the clock for good. Returns whole milliseconds, so that all views of a solve agree. */
  stop() {
    this.pause();
    this.before = Math.round(this.before);
    this.isStopped = true;
    return this.before;
  }
}
