// Look inside: a small search, traced step by step.
import { isAbort } from '../engine/engine.js';
import { readBoard } from '../engine/read.js';
import { BoardView } from '../parts/board.js';
import { barTable } from '../parts/chart.js';
import { button, download, facts, faultNote, field, labelled, note, select } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { plural } from '../parts/numbers.js';
import { Tree, outlined, seriesOf } from '../parts/tree.js';
import { goalLine } from '../parts/setup.js';
import { unsolvableNote } from '../parts/unsolvable.js';
import { formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { formatLink } from '../puzzle/link.js';
import { doubledManhattan } from '../puzzle/matrix.js';
import { toTileLetters } from '../puzzle/moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { contours, knownAfter, openList, stepsOf } from '../puzzle/trace.js';

export const LEAD = 'A small search, one step at a time. The number in each node is f, by which the search decides.';
const EXAMPLE = '1 2 0/4 5 8/7 6 3';
const MAX_EVENTS = 2000;
const PLAY_MS = 450;
const OPEN_ROWS = 8;
const ALGORITHMS = [
  ['astar', 'A*'], ['wastar', 'Weighted A*'], ['greedy', 'Greedy'], ['idastar', 'IDA*'], ['bfs', 'Breadth-first'], ['bibfs', 'Bidirectional'],
  ['ucs', 'Uniform-cost'], ['mm', 'MM'], ['dfs', 'Depth-first'], ['iddfs', 'Iterative deepening'],
];
const BLIND = new Set(['bfs', 'bibfs', 'ucs', 'dfs', 'iddfs']);
const HEURISTICS = ['manhattan', 'misplaced', 'gaschnig', 'linear-conflict', 'walking-distance', 'inversion-distance', 'zero'];
/** A search that is misled by an overestimate. */
const MISLED = { board: '1 6 2/5 0 3/4 7 8', algorithm: 'wastar', weight: '3' };

export function show(root, params, context) {
  const inside = new Inside(root, params, context);
  inside.open(Number(params.step) || 1);
  return () => inside.leave();
}

class Inside {
  constructor(root, params, context) {
    Object.assign(this, {
      context, params, board: parseBoard(EXAMPLE).board, goalText: params.goal ?? '', algorithm: params.algorithm ?? 'astar',
      heuristic: params.heuristic ?? 'manhattan', weight: params.weight ?? '2', matrix: params.matrix ?? '', steps: [], at: 0,
    });
    this.view = new BoardView({ label: 'Board of the node being expanded' });
    this.tree = new Tree();
    this.build(root);
  }

  get goal() {
    return goalOf(this.goalText, this.board) ?? goalOf(null, this.board);
  }

  build(root) {
    this.say = h('div', { role: 'status', class: 'stack' });
    this.counter = h('span', { class: 'small muted' });
    this.range = h('input', { type: 'range', min: 1, max: 1, value: 1, 'aria-label': 'Step of the search', oninput: () => this.go(Number(this.range.value)) });
    this.run = button('Run', () => (this.timer ? this.pause() : this.play()));
    this.back = button('Back', () => { this.pause(); this.go(this.at - 1); });
    this.on = button('Step', () => { this.pause(); this.go(this.at + 1); }, 'primary');
    this.facts = facts([['g so far', ''], ['h to go', ''], ['f decides', '']]);
    this.lists = h('div', { class: 'stack' });
    this.goalLine = h('div', {});
    this.fields = h('div', { class: 'stack' });
    this.key = h('p', { class: 'key' });
    const left = h('div', { class: 'panel stack' }, h('div', { class: 'line' }, h('h2', {}, 'Tree'), h('span', { class: 'small muted' }, 'f above, g + h below; letters: tile moves')),
      this.tree.element, this.tree.cut, this.key, this.range, h('div', { class: 'row' }, this.back, this.on, this.run, this.counter), this.say);
    const right = h('div', { class: 'stack' }, h('div', { class: 'pair' }, this.view.element, this.facts.element), this.goalLine, this.lists);
    root.append(h('div', { class: 'inside' }, left, right, h('div', { class: 'panel wide stack' }, h('h2', {}, 'Another search'), this.fields)));
    this.drawFields();
  }

  drawFields() {
    const change = (name) => (value) => { this[name] = value; this.drawFields(); this.trace(); };
    const isBlind = BLIND.has(this.algorithm);
    const board = field('Board', { class: 'mono', value: formatBoard(this.board), onchange: ({ target }) => this.type(target) });
    fill(this.fields, h('div', { class: 'fields' }, select('Algorithm', ALGORITHMS, this.algorithm, change('algorithm')),
      isBlind ? null : select('Heuristic', [...HEURISTICS.map((name) => [name, name]), ['matrix', 'your own matrix']], this.heuristic, change('heuristic')),
      this.algorithm === 'wastar' ? select('Weight', ['1.5', '2', '3', '5', '10'].map((weight) => [weight, `${weight} × h`]), this.weight, change('weight')) : null, board),
    !isBlind && this.heuristic === 'matrix' ? this.matrixField() : null,
    h('div', { class: 'row' }, button('New board', () => this.draw()), button('A misled search', () => this.mislead()),
      button('Posthoc file', () => this.save(), 'plain')));
  }

  matrixField() {
    this.matrix ||= doubledManhattan(this.board);
    const area = h('textarea', { class: 'mono', rows: 5, spellcheck: 'false', onchange: ({ target }) => { this.matrix = target.value; this.trace(); } });
    area.value = this.matrix;
    return labelled('Matrix: one row per cell of a tile, one column per goal cell. Initially twice the Manhattan distance', area);
  }

  /** Opens the board of the link, then shows the step of its search. */
  async open(step) {
    const { board: text, size } = this.params;
    try {
      if (text) this.board = (await readBoard(this.context.engine, text, parseSize(size), { signal: this.context.signal })).board;
      this.drawFields();
      await this.trace(step);
    } catch (error) {
      if (isAbort(error)) return;
      this.view.show(this.board, this.goal);
      this.disable();
      fill(this.say, note('bad', 'This link has no board.', error.message, { role: 'alert' }));
    }
  }

  async type(input) {
    try {
      this.board = (await readBoard(this.context.engine, input.value, null, { signal: this.context.signal })).board;
      input.setAttribute('aria-invalid', 'false');
      this.trace();
    } catch (error) {
      if (isAbort(error)) return;
      input.setAttribute('aria-invalid', 'true');
      fill(this.say, note('bad', error.message));
    }
  }

  /** Disables the controls of a search that has no steps. */
  disable(isEmpty = true) {
    for (const control of [this.range, this.back, this.on, this.run]) control.disabled = isEmpty;
  }

  async draw() {
    try {
      const engine = await this.context.engine;
      const { boards } = await engine.call('scramble', { size: '3x3', length: 10, seed: Math.floor(Math.random() * 2 ** 32) });
      Object.assign(this, { board: parseBoard(boards[0].board).board, goalText: '' });
      this.drawFields();
      this.trace();
    } catch (error) {
      fill(this.say, faultNote(error));
    }
  }

  mislead() {
    Object.assign(this, MISLED, { board: parseBoard(MISLED.board).board, goalText: '', heuristic: 'manhattan' });
    this.drawFields();
    this.trace();
  }

  /** Returns the choices that the algorithm uses. */
  choices() {
    const isBlind = BLIND.has(this.algorithm);
    const guide = isBlind ? {} : this.heuristic === 'matrix' ? { matrix: this.matrix } : { heuristic: this.heuristic };
    return { algorithm: this.algorithm, ...guide, ...(this.algorithm === 'wastar' && { weight: Number(this.weight) }) };
  }

  problem() {
    return { board: formatBoard(this.board), size: sizeText(this.board), ...(this.goalText && { goal: formatBoard(this.goal) }) };
  }

  keep() {
    const { algorithm, weight, matrix } = this.choices();
    const isSquare = this.board.width === this.board.height;
    const board = formatBoard(this.board);
    this.context.keep({ board, size: isSquare ? null : sizeText(this.board), goal: this.goalText, algorithm: algorithm === 'astar' ? null : algorithm,
      heuristic: BLIND.has(algorithm) || this.heuristic === 'manhattan' ? null : this.heuristic, weight, matrix, step: this.at > 1 ? this.at : null }, { board, goal: this.goalText });
  }

  async trace(step = 1) {
    this.pause();
    this.cancel?.abort();
    const { signal } = (this.cancel = new AbortController());
    this.view.show(this.board, this.goal);
    fill(this.goalLine, goalLine(this.goalText, this.goal));
    const unsolvable = unsolvableNote(this.board, this.goal, this.goalText, {
      onBoard: (board) => { this.board = board; this.drawFields(); this.trace(); },
      onGoal: (goal) => { this.goalText = goal; this.trace(); },
    });
    if (unsolvable) {
      this.steps = [];
      this.disable();
      this.keep();
      return fill(this.say, unsolvable);
    }
    fill(this.say, note('info', 'Searching…'));
    try {
      const engine = await this.context.engine;
      const { events, result } = await engine.call('trace', { ...this.problem(), ...this.choices(), max_events: MAX_EVENTS }, { signal });
      if (signal.aborted) return;
      Object.assign(this, { steps: stepsOf(events), result });
      this.begin(step);
      await this.judge(engine, signal);
    } catch (error) {
      if (!isAbort(error)) fill(this.say, faultNote(error));
    }
    return undefined;
  }

  begin(step) {
    this.range.max = Math.max(this.steps.length, 1);
    this.disable(this.steps.length === 0);
    fill(this.say);
    if (this.steps.length === 0) return fill(this.say, note('info', 'Nothing was expanded.', 'The board is already solved.'));
    return this.go(Math.min(step, this.steps.length));
  }

  /** Shows the result of the search, and whether a shorter solution exists. */
  async judge(engine, signal) {
    const { status, length } = this.result;
    if (status !== 'solved') return fill(this.say, note('warn', this.isCut() ? 'The search is not over.' : 'No solution was found.', this.isCut() ? `Only its first ${MAX_EVENTS.toLocaleString('en')} events are shown.` : ''));
    const best = await engine.call('solve', { ...this.problem(), max_ms: 5000 }, { signal });
    if (signal.aborted) return undefined;
    const isLonger = best.optimal && length > best.length;
    return fill(this.say, isLonger
      ? [note('warn', `${plural(length, 'move')}, and ${best.length} would do.`, 'The estimate was too high somewhere on the shortest path, so the search turned away from it.'), this.bothSolutions(best.moves)]
      : note('good', `${plural(length, 'move')}${best.optimal ? ', the fewest possible' : ''}.`, `${plural(this.result.expanded, 'node')} expanded, ${this.result.generated} generated.`));
  }

  /** Creates links that play the solution found and a shortest one. */
  bothSolutions(shortest) {
    const solution = (name, moves) => h('div', {}, h('dt', {}, name), h('dd', {},
      h('a', { class: 'mono', href: formatLink('watch', { board: formatBoard(this.board), goal: this.goalText, moves }) }, toTileLetters(moves))));
    return h('dl', { class: 'ways' }, solution('Found', this.result.moves), solution('A shortest', shortest));
  }

  isCut() {
    return this.result.stopped_by === 'events' || this.result.complete === false;
  }

  go(step) {
    if (this.steps.length === 0 || step < 1 || step > this.steps.length) return;
    this.at = step;
    const known = knownAfter(this.steps, step);
    const { node, bound } = this.steps[step - 1];
    const levels = contours(this.steps, this.steps.length).map(([level]) => level);
    this.tree.show(known, levels, this.sum());
    this.showKey(levels);
    this.showBoard(node);
    this.showLists(known, bound, levels);
    this.range.value = step;
    this.range.ariaValueText = `step ${step} of ${this.steps.length}`;
    this.counter.textContent = `step ${step} of ${this.steps.length}`;
    this.back.disabled = step === 1;
    this.on.disabled = step === this.steps.length;
    this.keep();
  }

  /** Shows the legend of the nodes and the outlines. */
  showKey(levels) {
    const entry = (kind, text) => h('span', {}, h('i', { class: kind }), text);
    const boxes = { now: 'expanding', done: 'closed', open: 'open' };
    fill(this.key, Object.entries(boxes).map(([name, text]) => entry(`k-${name}`, text)),
      this.hasF ? outlined(levels).map(({ level, series }) => entry(`outline l${series}`, `f ≤ ${level}`)) : null);
  }

  get hasF() {
    return this.steps[0].node.f !== undefined;
  }

  /** Returns a function that formats f as a sum of g and h, for the second line of a node. */
  sum() {
    if (this.algorithm === 'wastar') return ({ g, h: left }) => `${g} + ${this.weight}·${left}`;
    return this.algorithm === 'greedy' ? ({ g }) => `g ${g}` : ({ g, h: left }) => `${g} + ${left}`;
  }

  showBoard(node) {
    const board = { ...this.board, cells: node.board.map((tile) => (tile === '*' ? null : tile)) };
    const from = node.move && { u: 1, d: -1, l: 1, r: -1 }[node.move];
    const blank = board.cells.indexOf(0);
    const moved = from && board.cells[blank + from * (node.move === 'u' || node.move === 'd' ? board.width : 1)];
    this.view.show(board, this.shownGoal(), { ms: 220, marks: { moved, arrow: node.move ?? null } });
    this.facts.update([node.g, node.h ?? '–', node.f ?? '–'].map(String));
  }

  shownGoal() {
    const key = `${sizeText(this.board)}${this.goalText}`;
    if (this.goalKey !== key) Object.assign(this, { goalKey: key, goalKept: this.goal });
    return this.goalKept;
  }

  showLists(known, bound, levels) {
    const next = this.steps[this.at]?.node.id;
    const open = openList(known, next);
    const cell = (value) => h('td', {}, value ?? '–');
    const row = (node) => h('tr', {}, cell(node.f ?? '–'), cell(node.g), cell(node.h), h('td', { class: 'mono' }, compact(node.board, this.board.width)), h('td', { class: 'n' }, node.id === next ? h('span', { class: 'tag' }, 'next') : null));
    const title = bound === null ? `Open list, ${plural(open.length, 'board')}` : `Bound ${bound}: waiting on the path`;
    const byF = contours(this.steps, this.at);
    fill(this.lists,
      h('table', { class: 'open-list' }, h('caption', { class: 'cap' }, title),
        h('thead', {}, h('tr', {}, ['f', 'g', 'h', 'Board'].map((text) => h('th', { scope: 'col' }, text)), h('td', {}))),
        h('tbody', {}, open.slice(0, OPEN_ROWS).map(row))),
      open.length ? null : h('p', { class: 'small muted' }, bound === null ? 'Nothing is left to expand.' : 'Nothing else: the other moves would exceed the bound.'),
      open.length > OPEN_ROWS ? h('p', { class: 'small muted' }, `And ${open.length - OPEN_ROWS} more.`) : null,
      barTable(`Expanded so far, by ${this.hasF ? 'f: the contours' : 'moves so far: the layers'}`, byF.map(([level, number]) => [String(level), number, seriesOf(level, levels)]), { isLog: false, heads: ['f', 'Nodes'] }));
  }

  play() {
    if (this.at === this.steps.length) this.go(1);
    this.run.textContent = 'Pause';
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.steps.length) { this.pause(); announce(`The search is over after ${plural(this.steps.length, 'step')}.`); }
    }, Math.min(PLAY_MS, 20_000 / this.steps.length));
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.run.textContent = 'Run';
  }

  async save() {
    try {
      const engine = await this.context.engine;
      const { text } = await engine.call('trace', { ...this.problem(), ...this.choices(), max_events: MAX_EVENTS, format: 'posthoc' });
      download(`${this.algorithm}.trace.json`, text);
    } catch (error) {
      fill(this.say, faultNote(error));
    }
  }

  leave() {
    this.pause();
    this.cancel?.abort();
  }
}

function compact(cells, width) {
  const words = cells.map((tile) => (tile === 0 ? '_' : tile));
  const rows = Array.from({ length: cells.length / width }, (_, row) => words.slice(row * width, (row + 1) * width));
  return rows.map((row) => row.join(cells.length > 10 ? ' ' : '')).join('/');
}
