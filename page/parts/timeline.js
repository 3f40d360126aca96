// The timeline of several searches: a slider over their expansions, single steps and events, and runs that pause at a
// condition.
import { STOPS } from '../puzzle/trace.js';
import { button, segments } from './controls.js';
import { announce, h } from './dom.js';
import { field, select } from './fields.js';
import { plural } from './numbers.js';

const STEP_MS = 450;
const SPEEDS = [['0.5', '½×'], ['1', '1×'], ['4', '4×'], ['16', '16×'], ['max', 'Fast']];
/** A fast run over all steps takes this time at most; each step takes at most the second time. */
const [FAST_MS, FAST_STEP_MS, FRAME_MS] = [8000, 20, 16];

export class Timeline {
  /**
   * `go(step, part)` shows the searches after a number of steps, the last one up to an event; `stops(condition, step)`
   * returns whether a run pauses at a step; `checkBoard(text)` returns a board as the condition has it, or null.
   */
  constructor({ go, stops, checkBoard }) {
    Object.assign(this, { go, stops, checkBoard, at: 0, part: Infinity, length: 0, speed: '1', condition: { kind: '', value: '' } });
    this.counter = h('span', { class: 'small muted counter' });
    this.range = h('input', { type: 'range', min: 1, max: 1, value: 1, 'aria-label': 'Step of the search', oninput: () => { this.pause(); this.to(Number(this.range.value)); } });
    this.run = button('Run', () => (this.timer ? this.pause() : this.play()));
    this.back = button('Back', () => { this.pause(); this.to(this.at - 1); });
    this.on = button('Step', () => { this.pause(); this.to(this.at + 1); }, 'primary');
    this.event = button('Event', () => { this.pause(); this.next(); });
    this.end = button('To the end', () => { this.pause(); this.to(this.length); });
    this.controls = [this.range, this.run, this.back, this.on, this.event, this.end];
    this.value = field('Value', { oninput: ({ target }) => this.read(target) });
    this.value.hidden = true;
    this.fault = h('span', { class: 'small', role: 'status' });
    const choose = (kind) => {
      this.condition = { kind, value: '' };
      this.value.hidden = !['f', 'depth', 'board'].includes(kind);
      const input = this.value.querySelector('input');
      input.value = '';
      this.fault.textContent = '';
      input.inputMode = kind === 'board' ? 'text' : 'numeric';
    };
    this.element = h('div', { class: 'panel stack timeline' }, this.range,
      h('div', { class: 'row' }, this.back, this.on, this.event, this.run, this.end), this.counter,
      h('details', {}, h('summary', {}, 'Speed and pauses'), h('div', { class: 'row' }, segments('Speed', SPEEDS, this.speed, (speed) => this.setSpeed(speed)),
        select('Pause a run at', STOPS, '', choose), this.value, this.fault)));
  }

  read(input) {
    const { kind } = this.condition;
    const value = kind === 'board' ? this.checkBoard(input.value) : /^\d+$/.test(input.value.trim()) ? input.value.trim() : null;
    input.setAttribute('aria-invalid', String(value === null));
    this.fault.textContent = value === null ? `This is not a ${kind === 'board' ? 'board of this size' : 'whole number'}: the run does not pause.` : '';
    this.condition = { kind, value: value ?? '' };
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.timer) this.play();
  }

  /** Sets the number of steps, and the number of events of each step, as `events(step)`. */
  load(length, events) {
    this.pause();
    Object.assign(this, { length, events });
    this.range.max = Math.max(length, 1);
    for (const control of this.controls) control.disabled = length === 0;
    this.counter.textContent = '';
  }

  /** Shows the searches after a step, up to an event of it. */
  to(step, part = Infinity) {
    if (this.length === 0) return;
    this.at = Math.max(1, Math.min(step, this.length));
    this.part = part;
    this.go(this.at, part);
    this.range.value = this.at;
    const isPart = part < this.events(this.at);
    const words = `step ${this.at} of ${this.length}${isPart ? `, event ${part} of ${this.events(this.at)}` : ''}`;
    this.range.ariaValueText = words;
    this.counter.textContent = words;
    this.back.disabled = this.at === 1;
    this.on.disabled = this.at === this.length;
    this.end.disabled = this.at === this.length && !isPart;
    this.event.disabled = this.end.disabled;
  }

  /** Shows the next event. */
  next() {
    if (this.part < this.events(this.at)) this.to(this.at, this.part + 1);
    else if (this.at < this.length) this.to(this.at + 1, 1);
  }

  play() {
    clearInterval(this.timer);
    if (this.at === this.length) this.to(1);
    this.run.textContent = 'Pause';
    if (this.speed !== 'max') {
      this.timer = setInterval(() => this.playOn(1), STEP_MS / Number(this.speed));
      return;
    }
    const [from, since, stepMs] = [this.at, performance.now(), Math.min(FAST_STEP_MS, FAST_MS / this.length)];
    this.timer = setInterval(() => this.playOn(Math.max(1, from + Math.floor((performance.now() - since) / stepMs) - this.at)), FRAME_MS);
  }

  /** Plays on by a number of steps, or up to the first one at which the run pauses. */
  playOn(many) {
    let step = this.at;
    let pauses = false;
    for (let count = 0; count < many && step < this.length && !pauses; count += 1) {
      step += 1;
      pauses = this.stops(this.condition, step);
    }
    this.to(step);
    if (pauses) {
      this.pause();
      announce(`Paused at step ${step}.`);
    } else if (step === this.length) {
      this.pause();
      announce(`The search is over after ${plural(this.length, 'step')}.`);
    }
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.run.textContent = 'Run';
  }
}
