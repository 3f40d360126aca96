// The panel of a session: statistics, a plot, and the list of solves.
import { MEASURES, overOptimal, statistics, valueText } from '../puzzle/session.js';
import { facts, note, segments } from './controls.js';
import { filePanel } from './file_panel.js';
import { fill, h } from './dom.js';
import { plural } from './numbers.js';
import { SolveList } from './solve_list.js';
import { sessionChart } from './session_chart.js';

const CHOICES = Object.entries(MEASURES).map(([measure, { title }]) => [measure, title]);

export class SessionPanel {
  /** `on` has onMeasure(measure), onChange(id, fields), onDelete(solve), onRestore(solve) and `files`, see filePanel; `measure` is shown first. */
  constructor({ measure, ...on }) {
    Object.assign(this, { measure: Object.hasOwn(MEASURES, measure) ? measure : 'time', solves: [], on });
    this.message = h('div', { role: 'status' });
    this.table = h('div', { class: 'stack' });
    this.list = new SolveList(on);
    this.element = h('div', { class: 'stack' }, this.message,
      segments('Statistics of', CHOICES, this.measure, (chosen) => {
        this.measure = chosen;
        on.onMeasure(chosen);
        this.draw();
      }), this.table, this.list.element, filePanel(on.files));
  }

  warn(strong, rest) {
    fill(this.message, note('warn', strong, rest));
  }

  /** Shows the solves of a kind, the oldest first. */
  show(solves, kind) {
    Object.assign(this, { solves, kind });
    this.draw();
    this.list.show(solves, kind);
  }

  draw() {
    const { solves, measure } = this;
    if (solves.length === 0) return fill(this.table, h('p', { class: 'small muted' }, 'No solves yet. Solve a scrambled board without hints, and its time appears here.'));
    const stats = statistics(solves, measure);
    return fill(this.table, statisticsTable(stats, measure), summary(solves, stats, measure), sessionChart(solves, measure));
  }
}

function statisticsTable({ rows }, measure) {
  const head = (text) => h('th', { scope: 'col', class: 'n' }, text);
  const row = ({ name, current, best }) => h('tr', {}, h('th', { scope: 'row' }, name),
    ...[current, best].map((value) => h('td', { class: 'n' }, valueText(measure, value, name !== 'single'))));
  return h('table', { class: 'statistics' }, h('caption', { class: 'vh' }, 'Single solves and averages'),
    h('thead', {}, h('tr', {}, h('td', {}), head('Current'), head('Best'))), h('tbody', {}, rows.map(row)));
}

function summary(solves, { count, dnfs, mean, deviation }, measure) {
  const over = overOptimal(solves);
  const rows = [['Solves', dnfs ? `${count - dnfs} of ${count}` : String(count)], ['Mean', valueText(measure, mean, true)], ['Deviation', valueText(measure, deviation, true)]];
  if (over) rows.push(['Over optimum', over.mean.toFixed(1)]);
  return [facts(rows).element, over ? h('p', { class: 'small muted' }, `Moves over the optimum: the mean of ${plural(over.count, 'solve')} whose shortest solution is known.`) : null];
}
