// The clock of a game, with the number of moves and their rate.
import { facts } from './controls.js';
import { h, setText } from './dom.js';
import { clock, rate } from './numbers.js';

/** Time between two changes of the rate while the clock runs. */
const RATE_MS = 500;

export class ClockFace {
  constructor() {
    this.time = h('time', { role: 'timer', 'aria-label': 'Time' });
    this.facts = facts([['Moves', ''], ['Moves/s', '']]);
    this.element = h('div', { class: 'clock' }, h('div', {}, this.time), this.facts.element);
  }

  /** Shows the time of a clock, or the seconds left for inspection, and the number of moves. */
  draw({ inspection, elapsed, isRunning }, moves) {
    const text = inspection > 0 ? String(Math.ceil(inspection / 1000)) : clock(elapsed);
    // The style sheet derives the width from the number of letters, so that nothing around the time is laid out again.
    if (text.length !== this.time.textContent.length) this.time.style.setProperty('--letters', text.length);
    setText(this.time, text);
    if (isRunning && moves === this.moves && elapsed - this.rated < RATE_MS) return;
    Object.assign(this, { moves, rated: elapsed });
    this.facts.update([String(moves), rate(moves, elapsed)]);
  }
}
