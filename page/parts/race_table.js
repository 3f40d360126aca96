// Table of a race, with growing bars next to the numbers.
import { valuesAt } from '../puzzle/race.js';
import { rowName } from '../puzzle/rows.js';
import { fill, h } from './dom.js';
import { bytes, count, duration, plural, short } from './numbers.js';

export const MEASURES = {
  expanded: { title: 'Nodes', best: 'Fewest nodes', of: (entry) => entry.expanded, axis: short, write: count },
  bytes: { title: 'Memory', best: 'least memory', of: (entry) => entry.bytes, axis: bytes, write: bytes },
  ms: { title: 'Time', best: 'fastest', of: (entry) => entry.ms * 1000, axis: (micros) => duration(micros / 1000), write: (micros) => duration(micros / 1000) },
};
const TITLES = { bfs: 'Breadth-first', bibfs: 'Bidirectional', astar: 'A*', idastar: 'IDA*', wastar: 'Weighted A*', greedy: 'Greedy', dfs: 'Depth-first', iddfs: 'Iterative deepening', ucs: 'Uniform-cost', mm: 'MM', table: 'Solution table' };
const SERIES = 5;
/** Number of samples kept of each row for a replay. */
const MAX_SAMPLES = 1000;

export const nameOf = ({ algorithm }) => TITLES[algorithm] ?? algorithm;
export const detailOf = ({ heuristic, closed, weight }) => [heuristic, closed, weight && `weight ${weight}`].filter(Boolean).join(' · ');

export class RaceTable {
  constructor() {
    this.axis = h('svg', { class: 'bars', 'aria-hidden': 'true' });
    this.body = h('tbody', { role: 'rowgroup' });
    const head = (text, kind) => h('th', { scope: 'col', role: 'columnheader', class: kind }, text);
    this.element = h('table', { class: 'race', role: 'table' },
      h('caption', { class: 'vh' }, 'Nodes expanded, memory and time of each row'),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, head('Algorithm'), h('td', { role: 'cell', class: 'barcell' }, this.axis), head('Expanded', 'n'), head('Memory', 'n'), head('Time', 'n'))),
      this.body);
    this.entries = [];
  }

  begin(rows) {
    this.entries = rows.map((row, place) => ({ row, name: rowName(row), status: 'waiting', expanded: 0, bytes: 0, ms: 0, samples: [], ...this.drawn(row, place) }));
    fill(this.body, this.entries.map(({ element }) => element));
  }

  drawn(row, place) {
    const parts = {
      rect: h('rect', { class: `s${(place % SERIES) + 1}`, y: 4, height: 14, rx: 3, width: '0%' }),
      detail: h('small', {}, detailOf(row)), nodes: h('b', {}, '–'), memory: h('td', { role: 'cell', class: 'n' }, '–'), time: h('td', { role: 'cell', class: 'n' }, '–'),
    };
    const lines = [0, 25, 50, 75, 100].map((x) => h('line', { x1: `${x}%`, x2: `${x}%`, y1: 0, y2: '100%' }));
    const element = h('tr', { role: 'row' }, h('th', { scope: 'row', role: 'rowheader' }, nameOf(row), parts.detail),
      h('td', { role: 'cell', class: 'barcell' }, h('svg', { class: 'bars', 'aria-hidden': 'true' }, lines, parts.rect)),
      h('td', { role: 'cell', class: 'n' }, parts.nodes), parts.memory, parts.time);
    return { element, parts };
  }

  /** Handles an event of the comparison. */
  handle(event, data) {
    const entry = this.entries.find(({ name }) => name === data.row);
    // A race that was interrupted starts again; its rows keep their results until there are new ones.
    if (!entry || (entry.isOver && event === 'progress')) return;
    Object.assign(entry, { expanded: data.expanded ?? entry.expanded, bytes: data.peak_bytes ?? data.bytes ?? entry.bytes, ms: (data.elapsed_ns ?? 0) / 1e6, status: 'running' });
    this.sample(entry, event === 'record');
    if (event === 'record') Object.assign(entry, { isOver: true, status: data.status, stop: data.stop ?? null, length: data.length, optimal: data.optimal, bound: boundOf(data) });
  }

  /** Keeps the values of a row for a replay. A search that was interrupted starts again at zero. */
  sample(entry, isLast) {
    const { ms, expanded, bytes: used } = entry;
    if (ms < (entry.samples.at(-1)?.ms ?? 0)) entry.samples = [];
    if (isLast || entry.samples.length < MAX_SAMPLES) entry.samples.push({ ms, expanded, bytes: used });
  }

  stopped() {
    for (const entry of this.entries) if (!entry.isOver && entry.status !== 'waiting') entry.status = 'stopped';
  }

  /** Time of the slowest row, in milliseconds. */
  get slowest() {
    return Math.max(0, ...this.entries.map(({ ms }) => ms));
  }

  /** Shows the rows as they are, or in a replay as they were `at` this time, on the scale of the end. */
  show(measure, isLog, share, { at = Infinity, withNumbers = true } = {}) {
    const { of, axis } = MEASURES[measure];
    const most = scaleEnd(Math.max(...this.entries.map(of), 1), isLog);
    for (const entry of this.entries) {
      const shown = at < entry.ms ? { ...entry, ...valuesAt(entry.samples, at), status: 'running' } : entry;
      this.showEntry(shown, share(of(shown), most, isLog), withNumbers);
    }
    const marks = this.entries.some((entry) => of(entry) > 0) ? ticks(most, isLog) : [];
    fill(this.axis, marks.map((value) => {
      const part = value && share(value, most, isLog);
      return h('text', { x: `${part * 100}%`, y: 15, class: part === 0 ? 'first' : part === 1 ? 'last' : null }, axis(value));
    }));
  }

  showEntry({ parts, row, status, stop, length, bound, expanded, bytes: used, ms }, part, withNumbers) {
    if (status !== 'waiting') parts.rect.setAttribute('width', `${(part * 100).toFixed(2)}%`);
    if (!withNumbers) return;
    const stopped = stop === 'memory' ? 'out of memory' : stop === 'time' ? 'out of time' : 'stopped';
    const state = { solved: length === undefined ? '' : plural(length, 'move'), stopped: bound ? `${stopped}, at least ${plural(bound, 'move')}` : stopped, unsolvable: 'unsolvable', refused: 'cannot run here', running: 'running', exhausted: 'no solution' }[status];
    parts.detail.textContent = [state, detailOf(row)].filter(Boolean).join(' · ');
    if (status === 'waiting') return;
    parts.nodes.textContent = count(expanded);
    parts.memory.textContent = bytes(used);
    parts.time.textContent = duration(ms);
  }
}

/** Returns the lower bound proved by a row. The bound of an iteration is proved, because all smaller bounds were searched. */
function boundOf({ optimal, length, h: estimate, iterations = [] }) {
  return optimal ? length : Math.max(estimate ?? 0, iterations.at(-1)?.bound ?? 0);
}

/** Returns a round number for the end of the scale. */
function scaleEnd(most, isLog) {
  const power = 10 ** Math.floor(Math.log10(most));
  return isLog ? Math.max(10 ** Math.ceil(Math.log10(most)), 10) : Math.ceil(most / power) * power;
}

/** Returns the numbers on the axis: on a log scale, powers of ten from 1. */
function ticks(most, isLog) {
  if (!isLog) return [0, 0.5, 1].map((part) => most * part);
  const powers = Math.round(Math.log10(most));
  const step = Math.ceil(powers / 4);
  return Array.from({ length: Math.floor(powers / step) + 1 }, (_, place) => 10 ** (place * step));
}

/** Formats the table as Markdown. */
export function asMarkdown(entries) {
  const lines = entries.map(({ row, status, length, expanded, bytes: used, ms }) =>
    `| ${nameOf(row)} | ${detailOf(row)} | ${length ?? status} | ${expanded} | ${Math.round(used)} | ${ms.toFixed(2)} |`);
  return ['| Algorithm | With | Moves | Expanded | Bytes | ms |', '| --- | --- | ---: | ---: | ---: | ---: |', ...lines].join('\n');
}
