// Makes a set of boards for a class: one board per line becomes a link.
import { readBoard } from '../engine/read.js';
import { button, copyFrom, note } from '../parts/controls.js';
import { fill, h } from '../parts/dom.js';
import { labelled } from '../parts/fields.js';
import { plural } from '../parts/numbers.js';
import { MAX_BOARDS, formatSet } from '../puzzle/board_set.js';
import { goalOf } from '../puzzle/goals.js';
import { formatLink } from '../puzzle/link.js';
import { explain } from '../puzzle/solvable.js';

const PAUSE_MS = 250;

/** The text of the field, kept during visits to other views. */
let kept = '';

/** Creates the fields. `engine` is a promise of the engine. */
export function setMaker(engine) {
  const result = h('div', { class: 'stack', role: 'status' });
  let cancel = null;
  const area = h('textarea', { class: 'mono', rows: 6, spellcheck: 'false', autocomplete: 'off', placeholder: '5 1 3/2 8 4/6 7 0\n2 3 4/1 5 0/7 6 8', oninput: async () => {
    kept = area.value;
    cancel?.abort();
    const { signal } = (cancel = new AbortController());
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    if (signal.aborted) return;
    const read = await readLines(engine, area.value, signal);
    if (!signal.aborted) fill(result, shown(read));
  } });
  area.value = kept;
  if (kept) area.dispatchEvent(new Event('input'));
  return h('div', { class: 'stack' }, labelled(`One board per line, at most ${MAX_BOARDS}`, area), result);
}

/** Reads the lines: {boards, faults, unsolvable}: the boards, what is wrong with the lines that are left out, and the lines of boards that cannot be solved. */
async function readLines(engine, text, signal) {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), name: `Line ${index + 1}` })).filter(({ line }) => line);
  const [boards, faults, unsolvable] = [[], [], []];
  for (const { line, name } of lines.slice(0, MAX_BOARDS)) {
    try {
      const { board } = await readBoard(engine, line, null, { signal });
      boards.push(board);
      if (!explain(board, goalOf(null, board)).solvable) unsolvable.push(`${name}.`);
    } catch (error) {
      if (signal.aborted) break;
      faults.push(`${name}: ${error.message}`);
    }
  }
  if (lines.length > MAX_BOARDS) faults.push(`${lines[MAX_BOARDS].name} and the lines after it: a set has at most ${MAX_BOARDS} boards.`);
  return { boards, faults, unsolvable };
}

function shown({ boards, faults, unsolvable }) {
  const list = (kind, title, texts) => (texts.length ? [note(kind, title), h('ul', { class: 'small' }, texts.map((text) => h('li', {}, text)))] : null);
  return [
    list('bad', 'These lines are left out.', faults), list('warn', 'These boards cannot be solved. They are in the set.', unsolvable),
    ...(boards.length ? [h('p', { class: 'small muted' }, `${plural(boards.length, 'board')} in the set.`), links(formatSet(boards))] : []),
  ];
}

function links(text) {
  const link = (view) => formatLink(view, { set: text });
  const copy = button('Copy link of the set', () => copyFrom(copy, new URL(link('play'), location.href).href));
  return h('div', { class: 'row' }, copy, h('a', { class: 'btn plain', href: link('play') }, 'Play the set'), h('a', { class: 'btn plain', href: link('watch') }, 'Watch the set'));
}
