// Plot of a session: a dot for each solve, and the running averages of 5 and 12.
import { runningAverages, statistics, valuesOf, valueText } from '../puzzle/session.js';
import { lineChart } from './chart.js';
import { h } from './dom.js';

const WORDS = { time: 'Times', moves: 'Moves', tps: 'Moves per second' };
/** Fewer solves make no plot; of more, the last ones are drawn. */
const [FEWEST, MOST] = [2, 10_000];

/** Creates the plot of a measure with its caption; null if there are too few solves. */
export function sessionChart(all, measure) {
  const solves = all.slice(-MOST);
  const values = valuesOf(solves, measure);
  const known = values.filter(Number.isFinite);
  if (known.length < FEWEST) return null;
  const lines = [[5, 'ao5'], [12, 'ao12']].map(([length, name]) => ({ name, values: runningAverages(values, length) }));
  const write = (value) => valueText(measure, value, measure === 'tps');
  const chart = lineChart(values, lines, sentence(solves, known, measure), write);
  return h('figure', { class: 'stack' }, chart, h('figcaption', { class: 'key' },
    h('span', {}, h('i', { class: 'k-dot' }), 'solve'), h('span', {}, h('i', { class: 'k-ao5' }), 'ao5'), h('span', {}, h('i', { class: 'k-ao12' }), 'ao12')));
}

function sentence(solves, known, measure) {
  const { rows } = statistics(solves, measure);
  const averages = rows.filter(({ name, current }) => (name === 'ao5' || name === 'ao12') && current !== null)
    .map(({ name, current }) => ` The current ${name} is ${valueText(measure, current, true)}.`).join('');
  const text = (value) => valueText(measure, value);
  return `${WORDS[measure]} of ${solves.length} solves, from ${text(Math.min(...known))} to ${text(Math.max(...known))}. The last is ${text(rows[0].current)}.${averages}`;
}
