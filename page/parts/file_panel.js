// Saving solves to files, and reading them.
import { kindTitle, parseKind } from '../puzzle/kind.js';
import { MOST_BYTES, readSolves, writeCsTimer, writeCsv, writeJson } from '../puzzle/solve_files.js';
import { button, note, segments } from './controls.js';
import { fill, h } from './dom.js';
import { check, download, labelled } from './fields.js';
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
    fill(report, await readFile(file, on, (content) => fill(report, content)));
    target.value = '';
  };
  return h('details', {}, h('summary', {}, 'Save and read solves'), h('div', { class: 'stack' },
    segments('Solves to save', [['one', 'This session'], ['all', 'All sessions']], 'one', (value) => { all = value === 'all'; }),
    h('div', { class: 'row' }, button('Save as JSON', () => save('json', writeJson, 'application/json')), button('Save as CSV', () => save('csv', writeCsv, 'text/csv')), button('Save for csTimer', () => save('cstimer.json', writeCsTimer, 'application/json'))),
    labelled('Read a file of Loyd (JSON, CSV), csTimer (JSON), or replay links of slidysim', h('input', { type: 'file', accept: '.json,.csv,.txt,application/json,text/csv,text/plain', onchange: read })),
    report));
}

/** Reads a file and returns a report. If the file has several sessions, the reader chooses some; `show(report)` follows. */
async function readFile(file, on, show) {
  if (file.size > MOST_BYTES) return note('bad', 'This file is too large.', `It has ${plural(file.size, 'byte')}; at most ${plural(MOST_BYTES, 'byte')} are read.`);
  try {
    const { sessions, ...found } = await readSolves(await file.text(), on.kind());
    const add = (chosen) => addSolves(chosen.flatMap(({ solves }) => solves), found, on);
    return sessions.length > 1 ? choice(sessions, async (chosen) => show(await add(chosen))) : await add(sessions);
  } catch (error) {
    return note('bad', 'This file cannot be read.', error.message);
  }
}

/** Asks which sessions are to be imported. */
function choice(sessions, onChosen) {
  const chosen = new Set(sessions);
  const titleOf = ({ name, solves }) => `${name}: ${plural(solves.length, 'solve')}, ${kindTitle(parseKind(solves[0].kind))}`;
  const take = button('Import', () => onChosen(sessions.filter((session) => chosen.has(session))), 'primary');
  const toggle = (session, isOn) => {
    if (isOn) chosen.add(session);
    else chosen.delete(session);
    take.disabled = chosen.size === 0;
  };
  return [note('info', `This file has ${sessions.length} sessions.`, 'Choose those to import. Sessions of the same size and goal become one.'),
    sessions.map((session) => check(titleOf(session), true, (isOn) => toggle(session, isOn))), take];
}

/** Stores solves and reports how many are new. */
async function addSolves(solves, { faults, notes }, on) {
  const added = solves.length ? await on.add(solves) : 0;
  if (added === null) return note('bad', 'Nothing was imported.', 'The solves could not be stored.');
  const known = solves.length - added;
  return [
    note(added ? 'good' : 'info', `${plural(added, 'solve')} imported.`, known ? `${plural(known, 'solve')} ${known === 1 ? 'was' : 'were'} already stored.` : ''),
    faults.length ? note('warn', `${plural(faults.length, 'entry', 'entries')} could not be read.`, listed(faults)) : null,
    notes.length ? note('info', 'Left out:', listed(notes)) : null,
  ];
}

const listed = (texts) => texts.slice(0, MOST_FAULTS).join(' ') + (texts.length > MOST_FAULTS ? ` And ${texts.length - MOST_FAULTS} more.` : '');
