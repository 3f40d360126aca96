// Saving solves to files, and reading them.
import { MOST_BYTES, readSolves, writeCsv, writeJson } from '../puzzle/solve_files.js';
import { button, note, segments } from './controls.js';
import { fill, h } from './dom.js';
import { download, labelled } from './fields.js';
import { plural } from './numbers.js';

const MOST_FAULTS = 8;

/** `on` has list(all), a promise of solves; kind(), that of the session on display; and add(solves), a promise of the number of new ones, or null. */
export function filePanel(on) {
  let all = false;
  const report = h('div', { class: 'stack', role: 'status' });
  const save = async (name, write, type) => {
    const solves = await on.list(all);
    if (solves.length === 0) fill(report, note('info', 'There are no solves to save.'));
    else download(`loyd-solves.${name}`, write(solves), type);
  };
  const read = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    fill(report, note('info', `Reading ${file.name}…`));
    fill(report, await readFile(file, on));
    target.value = '';
  };
  return h('details', {}, h('summary', {}, 'Save and read solves'), h('div', { class: 'stack' },
    segments('Solves to save', [['one', 'This session'], ['all', 'All sessions']], 'one', (value) => { all = value === 'all'; }),
    h('div', { class: 'row' }, button('Save as JSON', () => save('json', writeJson, 'application/json')), button('Save as CSV', () => save('csv', writeCsv, 'text/csv'))),
    labelled('Read a file of Loyd (JSON, CSV), csTimer (JSON), or replay links of slidysim', h('input', { type: 'file', accept: '.json,.csv,.txt,application/json,text/csv,text/plain', onchange: read })),
    report));
}

async function readFile(file, on) {
  if (file.size > MOST_BYTES) return note('bad', 'This file is too large.', `It has ${plural(file.size, 'byte')}; at most ${plural(MOST_BYTES, 'byte')} are read.`);
  try {
    const { solves, faults, notes } = await readSolves(await file.text(), on.kind());
    const added = solves.length ? await on.add(solves) : 0;
    if (added === null) return note('bad', 'Nothing was imported.', 'The solves could not be stored.');
    const known = solves.length - added;
    return [
      note(added ? 'good' : 'info', `${plural(added, 'solve')} imported.`, known ? `${plural(known, 'solve')} ${known === 1 ? 'was' : 'were'} already stored.` : ''),
      faults.length ? note('warn', `${plural(faults.length, 'entry', 'entries')} could not be read.`, listed(faults)) : null,
      notes.length ? note('info', 'Left out:', listed(notes)) : null,
    ];
  } catch (error) {
    return note('bad', 'This file cannot be read.', error.message);
  }
}

const listed = (texts) => texts.slice(0, MOST_FAULTS).join(' ') + (texts.length > MOST_FAULTS ? ` And ${texts.length - MOST_FAULTS} more.` : '');
