// A running search: the best solution so far, the lower bound, and the gap between them.
import { gapChart } from './chart.js';
import { waiting } from './controls.js';
import { fill, h } from './dom.js';
import { bytes, duration, short } from './numbers.js';

const DRAW_MS = 100;

export class Gap {
  constructor(heading = 'Shortest solution') {
    this.heading = h('h2', {}, heading);
    this.cost = h('span', { class: 'small muted' });
    this.output = h('output', { class: 'figure' });
    this.chart = h('div', {});
    this.stage = h('p', { class: 'small muted' });
    this.element = h('div', { class: 'gap stack' }, h('div', { class: 'line' }, this.heading, this.cost), this.output, this.chart, this.stage);
  }

  begin() {
    clearInterval(this.timer);
    Object.assign(this, { from: performance.now(), best: null, bound: null, history: [], isOver: false, drawn: 0, expanded: 0, bytes: 0 });
    this.stage.textContent = 'Searching…';
    this.timer = setInterval(() => this.draw(), DRAW_MS);
    this.draw();
  }

  /** Handles an event of the search. What is known stays known: a search that was interrupted starts again. */
  handle(event, data) {
    if (data.length !== null && data.length !== undefined) this.best = Math.min(data.length, this.best ?? Infinity);
    if (data.lower_bound !== null && data.lower_bound !== undefined) this.bound = Math.max(data.lower_bound, this.bound ?? 0);
    if (data.expanded) Object.assign(this, { expanded: data.expanded, bytes: data.bytes ?? 0 });
    const last = this.history.at(-1);
    if (last?.best !== this.best || last?.bound !== this.bound) this.history.push({ ms: performance.now() - this.from, best: this.best, bound: this.bound });
    if (event === 'table') this.stage.textContent = `Building tables, ${Math.floor((100 * data.done) / data.total)}%. This happens only once.`;
    else if (waiting(event, data)) this.stage.textContent = waiting(event, data).join(' ');
    else if (data.stage) this.stage.textContent = `${data.stage[0].toUpperCase()}${data.stage.slice(1)}${data.with ? ` with ${data.with}` : ''}.`;
  }

  /** Ends the display. `answer` is the final state {length, lower_bound, optimal}. */
  end(text, answer = {}) {
    if (answer.length !== undefined) this.handle('end', answer);
    if (answer.optimal) this.bound = this.best;
    if (answer.expanded) Object.assign(this, { expanded: answer.expanded, bytes: answer.peak_bytes ?? this.bytes });
    if (this.history.at(-1)?.bound !== this.bound) this.history.push({ ms: performance.now() - this.from, best: this.best, bound: this.bound });
    this.until = performance.now() - this.from;
    clearInterval(this.timer);
    this.isOver = true;
    this.draw();
    this.stage.textContent = text;
  }

  draw() {
    const { best, bound } = this;
    const ms = this.until && this.isOver ? this.until : performance.now() - this.from;
    this.cost.textContent = `${duration(ms)}${this.expanded ? ` · ${short(this.expanded)} ${this.expanded === 1 ? 'node' : 'nodes'}` : ''}${this.bytes > 1e6 ? ` · ${bytes(this.bytes)}` : ''}`;
    const isProved = best !== null && best === bound;
    if (isProved) fill(this.output, h('b', {}, best), best === 1 ? ' move' : ' moves');
    else fill(this.output, bound === null ? null : [h('b', {}, bound), ' ≤ '], '?', best === null ? null : [' ≤ ', h('b', {}, best)]);
    const changes = this.history.filter((point) => point.best !== null && point.bound !== null && point.best !== point.bound);
    const isWorth = changes.length > 0 && ms > 300;
    fill(this.chart, isWorth ? gapChart(this.history, this.sentence(), ms) : null);
  }

  sentence() {
    const { best, bound } = this;
    return `The best solution so far has ${best ?? 'no'} moves; it is proved that at least ${bound ?? 0} are needed.`;
  }

  stop() {
    clearInterval(this.timer);
  }
}
