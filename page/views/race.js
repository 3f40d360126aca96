// Race: several searches on the same board, started together.
import { isAbort } from '../engine/fault.js';
import { readBoard } from '../engine/read.js';
import { BoardView } from '../parts/board.js';
import { share } from '../parts/chart.js';
import { button, copyFrom, faultNote, loadPart, note, segments, sentence, waiting } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { field, select } from '../parts/fields.js';
import { plural } from '../parts/numbers.js';
import { RaceTable, MEASURES, asMarkdown, detailOf, nameOf } from '../parts/race_table.js';
import { goalLine, sizeFields } from '../parts/setup.js';
import { unsolvableNote } from '../parts/unsolvable.js';
import { loadStyle } from '../parts/style.js';
import { formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { parseBoard } from '../puzzle/parse.js';
import { paceText, winnersOf } from '../puzzle/race.js';
import { PRESETS, distinct, readRows, rowName, writeRows } from '../puzzle/rows.js';
import { boardFault, validParts } from './link_parts.js';

await loadStyle('style/later.css');
await loadStyle('style/race.css');

export const LEAD = 'The same board, the same start. Watch what each idea saves.';
const EXAMPLE = '8 6 7/2 5 4/3 0 1';
const RUN_MS = 20_000;
const MAX_ROWS = 12;
const TITLES = { classics: 'Four classics', realms: 'Eight realms', weights: 'Weights', heuristics: 'Heuristics', large: 'For large boards' };

export function show(root, params, context) {
  const race = new Race(root, validParts(params, root), context);
  race.begin();
  return () => race.leave();
}

class Race {
  constructor(root, params, context) {
    this.context = context;
    this.params = params;
    this.board = parseBoard(EXAMPLE).board;
    this.goalText = params.goal ?? '';
    this.rows = readRows(params.rows) ?? PRESETS.classics;
    this.measure = MEASURES[params.by] ? params.by : 'expanded';
    this.isLog = params.scale !== 'linear';
    this.view = new BoardView({ label: 'The board they all solve' });
    this.table = new RaceTable();
    this.build(root);
  }

  get goal() {
    return goalOf(this.goalText, this.board) ?? goalOf(null, this.board);
  }

  build(root) {
    this.verdict = h('h2', {}, 'One board for all');
    this.sizes = h('div', { class: 'fields' });
    this.typed = field('Board', { class: 'mono', onchange: ({ target }) => this.type(target) });
    this.editor = h('div', { class: 'stack' });
    this.message = h('div', { role: 'status' });
    this.start = button('Start the race', () => (this.cancel ? this.stop() : this.run()), 'primary');
    this.slow = button('Replay slowly', () => (this.endReplay ? this.endReplay() : this.replay()));
    this.copy = button('Copy as table', () => copyFrom(this.copy, asMarkdown(this.table.entries)), 'plain');
    this.goalLine = h('div', {});
    const left = h('div', { class: 'racebox' }, this.view.element,
      h('div', { class: 'stack start' }, this.verdict, this.goalLine, h('div', { class: 'row' }, button('New board', () => this.draw())), this.sizes),
      h('details', {}, h('summary', {}, 'Type a board'), this.typed));
    const choices = h('div', { class: 'row spread' },
      segments('Compare', Object.entries(MEASURES).map(([name, { title }]) => [name, title]), this.measure, (measure) => { this.measure = measure; this.redraw(); }),
      segments('Scale', [['linear', 'Linear'], ['log', 'Log']], this.isLog ? 'log' : 'linear', (scale) => { this.isLog = scale === 'log'; this.redraw(); }));
    const right = h('div', { class: 'panel stack' }, h('div', { class: 'row' }, this.start, this.slow, this.copy), this.message, choices, this.table.element,
      h('details', {}, h('summary', {}, 'Choose the rows'), this.editor));
    root.append(h('div', { class: 'race-grid' }, left, right));
  }

  async begin() {
    const { board: text, size } = this.params;
    let fault = null;
    try {
      if (text) this.board = (await readBoard(this.context.engine, text, parseSize(size), { signal: this.context.signal })).board;
    } catch (error) {
      if (isAbort(error)) return;
      fault = error;
    }
    this.reset();
    if (fault) fill(this.message, boardFault(fault));
    try {
      const engine = await this.context.engine;
      [this.algorithms, this.heuristics] = await Promise.all([engine.list('algorithms'), engine.list('heuristics')]);
      this.checkRows();
      this.drawEditor();
    } catch (error) {
      fill(this.message, faultNote(error));
    }
  }

  /** Leaves out rows of the link whose algorithm or heuristic the engine does not have. */
  checkRows() {
    const isKnown = (names, name) => !name || names.some((one) => one.name === name);
    const known = this.rows.filter(({ algorithm, heuristic }) => isKnown(this.algorithms, algorithm) && isKnown(this.heuristics, heuristic));
    if (known.length === this.rows.length) return;
    const unknown = this.rows.filter((row) => !known.includes(row)).map((row) => `“${rowName(row)}”`);
    this.rows = known.length ? known : PRESETS.classics;
    this.reset();
    this.message.prepend(note('bad', 'A part of this link is damaged and left out.', `There is no row ${unknown.join(', ')}.`, { role: 'alert' }));
  }

  /** Shows the board and the rows before a race. */
  reset() {
    this.endReplay?.();
    this.stop();
    this.slow.hidden = true;
    this.view.show(this.board, this.goal);
    fill(this.goalLine, goalLine(this.goalText, this.goal));
    fill(this.sizes, sizeFields(this.board, (size) => this.draw(sizeText(size))));
    this.typed.querySelector('input').value = formatBoard(this.board);
    this.verdict.textContent = 'One board for all';
    this.table.begin(this.rows);
    this.redraw();
    const unsolvable = unsolvableNote(this.board, this.goal, this.goalText, {
      onBoard: (board) => { this.board = board; this.reset(); },
      onGoal: (goal) => { this.goalText = goal; this.reset(); },
    });
    fill(this.message, unsolvable ?? note('info', 'Ready.', 'All rows start at the same time. Each may take up to 20 seconds.'));
    this.keep();
  }

  keep() {
    const isSquare = this.board.width === this.board.height;
    const board = formatBoard(this.board);
    this.context.keep({ board, size: isSquare ? null : sizeText(this.board), goal: this.goalText, rows: writeRows(this.rows),
      by: this.measure === 'expanded' ? null : this.measure, scale: this.isLog ? null : 'linear' }, { board, goal: this.goalText });
  }

  redraw() {
    this.table.show(this.measure, this.isLog, share);
    this.keep();
  }

  async draw(size = sizeText(this.board)) {
    try {
      const engine = await this.context.engine;
      const { boards } = await engine.call('scramble', { size, seed: Math.floor(Math.random() * 2 ** 32) });
      this.board = parseBoard(boards[0].board, parseSize(size)).board;
      if (!goalOf(this.goalText, this.board)) this.goalText = '';
      this.reset();
    } catch (error) {
      fill(this.message, faultNote(error));
    }
  }

  async type(input) {
    try {
      this.board = (await readBoard(this.context.engine, input.value, this.board, { signal: this.context.signal })).board;
      input.setAttribute('aria-invalid', 'false');
      this.reset();
    } catch (error) {
      if (isAbort(error)) return;
      input.setAttribute('aria-invalid', 'true');
      fill(this.message, note('bad', error.message));
    }
  }

  drawEditor() {
    const presets = h('div', { class: 'row' }, Object.entries(TITLES)
      .map(([name, title]) => button(title, () => this.setRows(PRESETS[name]))));
    const add = button('Add a row', () => this.setRows([...this.rows, this.nextRow()]));
    add.disabled = this.rows.length >= MAX_ROWS;
    fill(this.editor, presets, this.rows.map((row, place) => this.rowEditor(row, place)), h('div', {}, add));
  }

  /** Returns a row that is not in the race yet. */
  nextRow() {
    const known = new Set(this.rows.map(rowName));
    return this.heuristics.map(({ name }) => ({ algorithm: 'astar', heuristic: name })).find((row) => !known.has(rowName(row))) ?? { algorithm: 'bfs' };
  }

  rowEditor(row, place) {
    const change = (name) => (value) => {
      const next = { ...row, [name]: value || undefined };
      this.setRows(this.rows.map((old, at) => (at === place ? next : old)));
    };
    const { uses_heuristic: usesHeuristic, uses_closed: usesClosed } = this.algorithms.find(({ name }) => name === row.algorithm) ?? {};
    const remove = button('Remove', () => this.setRows(this.rows.filter((_, at) => at !== place)), 'plain', { 'aria-label': `Remove row ${place + 1}` });
    remove.disabled = this.rows.length === 1;
    return h('div', { class: 'fields rowfields', role: 'group', 'aria-label': `Row ${place + 1}` },
      select('Algorithm', this.algorithms.map(({ name }) => [name, name]), row.algorithm, change('algorithm')),
      usesHeuristic ? select('Heuristic', this.heuristics.map(({ name }) => [name, name]), row.heuristic, change('heuristic')) : null,
      usesClosed ? select('Closed list', [['', 'default'], ...['ordered', 'hashed', 'ranked'].map((name) => [name, name])], row.closed ?? '', change('closed')) : null,
      row.algorithm === 'wastar' ? select('Weight', [2, 3, 5, 10].map((weight) => [String(weight), String(weight)]), String(row.weight ?? 2), (weight) => change('weight')(Number(weight))) : null,
      remove);
  }

  setRows(requested) {
    const rows = requested.map((row) => {
      const { uses_heuristic: usesHeuristic = true, uses_closed: usesClosed = true } = this.algorithms?.find(({ name }) => name === row.algorithm) ?? {};
      return { ...row, heuristic: usesHeuristic ? row.heuristic ?? 'manhattan' : undefined, closed: usesClosed ? row.closed : undefined, weight: row.algorithm === 'wastar' ? row.weight ?? 2 : undefined };
    });
    this.rows = distinct(rows);
    this.reset();
    this.drawEditor();
    if (this.rows.length < rows.length) fill(this.message, note('warn', 'That row is already in the race.', 'Each row runs once.'));
  }

  request({ kind }) {
    const goal = this.goalText && { goal: formatBoard(this.goal) };
    // The rows share the time; without threads, they run one after the other.
    return { boards: [formatBoard(this.board)], size: sizeText(this.board), ...goal, rows: this.rows, max_ms: RUN_MS * (kind === 'wasm' ? this.rows.length : 1) };
  }

  async run() {
    this.endReplay?.();
    this.slow.hidden = true;
    this.table.begin(this.rows);
    this.cancel = new AbortController();
    const { signal } = this.cancel;
    this.start.textContent = 'Stop';
    fill(this.message, running());
    let wasWaiting = false;
    const onEvent = (event, data) => {
      if (signal.aborted) return;
      if (event === 'progress' || event === 'record') this.table.handle(event, data);
      const wait = waiting(event, data);
      if (wait) fill(this.message, note('warn', ...wait));
      else if (wasWaiting) fill(this.message, running());
      wasWaiting = Boolean(wait);
    };
    const timer = setInterval(() => this.table.show(this.measure, this.isLog, share), 100);
    try {
      const engine = await this.context.engine;
      await engine.call('compare', this.request(engine), { onEvent, signal });
      if (!signal.aborted) this.ended();
    } catch (error) {
      if (!isAbort(error)) fill(this.message, faultNote(error));
    } finally {
      clearInterval(timer);
      if (!signal.aborted) this.idle();
      this.redraw();
    }
  }

  idle() {
    this.cancel = null;
    this.start.textContent = 'Run again';
    this.slow.hidden = this.table.slowest === 0;
  }

  ended() {
    const { entries } = this.table;
    const solved = entries.filter(({ status }) => status === 'solved');
    this.verdict.textContent = verdict(entries, solved);
    const refused = entries.filter(({ status }) => status === 'refused').map(({ row, stop }) => sentence(`${titleOf(row)}: ${stop}`));
    const isUnsolvable = entries.some(({ status }) => status === 'unsolvable');
    const words = isUnsolvable ? 'This board cannot be solved.' : solved.length ? `${winners(solved)}.` : 'No row solved the board within its limits.';
    fill(this.message, note(solved.length ? 'good' : 'warn', 'The race is over.', [words, ...refused].join(' ')));
    announce(`${words} ${this.verdict.textContent}.`);
  }

  /** Shows the race again, on a clock on which the slowest row takes a few seconds. */
  async replay() {
    const part = await loadPart(() => import('../parts/race_replay.js'), (fault) => fill(this.message, fault));
    if (!part || this.endReplay || this.cancel) return;
    const { REPLAY_MS, replay } = part;
    const { slowest } = this.table;
    const before = [...this.message.childNodes];
    let halt = () => {};
    this.endReplay = () => {
      halt();
      this.endReplay = null;
      this.slow.textContent = 'Replay slowly';
      fill(this.message, before);
      this.redraw();
    };
    this.slow.textContent = 'Stop the replay';
    fill(this.message, note('info', 'A replay of the race.', sentence(`${paceText(REPLAY_MS / slowest)}, all rows on one clock`)));
    const draw = (at, withNumbers) => this.table.show(this.measure, this.isLog, share, { at, withNumbers });
    halt = replay(slowest, draw, () => this.endReplay?.());
  }

  stop() {
    if (!this.cancel) return;
    this.cancel.abort();
    this.idle();
    this.table.stopped();
    fill(this.message, note('warn', 'Stopped.', 'The counts so far are kept.'));
    this.redraw();
  }

  leave() {
    this.endReplay?.();
    this.cancel?.abort();
  }
}

const running = () => note('info', 'Running.', 'The bars show the progress of each row.');

const titleOf = (row) => [nameOf(row), detailOf(row)].filter(Boolean).join(' with ');

/** Names the rows with the fewest nodes, the least time and the least memory. */
function winners(solved) {
  return ['expanded', 'ms', 'bytes'].map((name) => {
    const { best, of, write } = MEASURES[name];
    const names = winnersOf(solved, { of, write, name: ({ row }) => titleOf(row) });
    return `${best}: ${listed(names)}, ${names.length > 1 ? 'each ' : ''}${write(Math.min(...solved.map(of)))}`;
  }).join('; ');
}

const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]);

/** Returns what is known about the length of a shortest solution. */
function verdict(entries, solved) {
  const shortest = Math.min(...solved.map(({ length }) => length));
  if (solved.some(({ optimal }) => optimal)) return `${plural(shortest, 'move')} at best`;
  const bound = Math.max(...entries.map((entry) => entry.bound ?? 0));
  return `${bound || ''}${bound ? ' ≤ ' : ''}?${Number.isFinite(shortest) ? ` ≤ ${shortest}` : ''} moves`;
}
