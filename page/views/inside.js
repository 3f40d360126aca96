// Look inside: one search, or two on the same board, traced step by step.
import { isAbort } from '../engine/fault.js';
import { readBoard } from '../engine/read.js';
import { button, faultNote, note } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { download, field } from '../parts/fields.js';
import { Lane } from '../parts/lane.js';
import { count, plural } from '../parts/numbers.js';
import { goalLine } from '../parts/setup.js';
import { loadStyle } from '../parts/style.js';
import { Timeline } from '../parts/timeline.js';
import { unsolvableNote } from '../parts/unsolvable.js';
import { formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { formatLink } from '../puzzle/link.js';
import { toTileLetters } from '../puzzle/moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { Trace, readTrace, stopsAt } from '../puzzle/trace.js';
import { boardFault, validParts } from './link_parts.js';

await loadStyle('style/later.css');
await loadStyle('style/inside.css');

export const LEAD = 'A search, one step at a time, or two side by side. Each node shows the number by which the search decides: f, or the moves so far.';
const EXAMPLE = '1 2 0/4 5 8/7 6 3';
const MAX_EVENTS = 20_000;
/** Events of boards with up to 9 cells are shorter. */
const MAX_SMALL_EVENTS = 100_000;
const SOLVE_MS = 5000;
const MAX_FILE_BYTES = 100_000_000;
/** A search that is misled by an overestimate. */
const MISLED = { board: '1 6 2/5 0 3/4 7 8', choices: { algorithm: 'wastar', weight: '3', heuristic: 'manhattan' } };
/** Parts of the address of each search; the second one has them with a 2. */
const CHOICES = ['algorithm', 'heuristic', 'weight', 'matrix', 'picture'];

export function show(root, params, context) {
  const valid = validParts(params, root);
  const inside = new Inside(root, valid, context);
  inside.open(Number(valid.step) || 1);
  return () => inside.leave();
}

class Inside {
  constructor(root, params, context) {
    Object.assign(this, { context, params, board: parseBoard(EXAMPLE).board, goalText: params.goal ?? '', lanes: [] });
    this.timeline = new Timeline({
      go: (step, part) => this.go(step, part),
      stops: (condition, step) => this.lanes.some((lane) => step <= lane.length && stopsAt(condition, lane.trace.steps[step - 1], lane.trace.after(step - 1).levels)),
      checkBoard: (text) => parseBoard(text, this.board).board?.cells.join(' ') ?? null,
    });
    this.build(root);
    this.addLane(this.chosen(''));
    if (params.algorithm2) this.addLane(this.chosen('2'));
  }

  get goal() {
    return goalOf(this.goalText, this.board) ?? goalOf(null, this.board);
  }

  /** Returns the choices of a search in the address. */
  chosen(suffix) {
    return Object.fromEntries(CHOICES.flatMap((name) => (this.params[name + suffix] ? [[name, this.params[name + suffix]]] : [])));
  }

  build(root) {
    this.notices = h('div', { role: 'status', class: 'stack' });
    this.goalLine = h('div', {});
    this.fields = h('div', { class: 'stack' });
    this.lanesBox = h('div', { class: 'lanes' });
    this.more = button('Compare with another search', () => this.compare());
    root.append(h('div', { class: 'inside' }, this.timeline.element, this.notices, this.goalLine, this.more, this.lanesBox,
      h('div', { class: 'panel wide stack' }, h('h2', {}, 'Another search'), this.fields)));
  }

  addLane(choices) {
    const lane = new Lane(choices, {
      change: (isOther) => { this.arrange(); if (isOther) this.trace(); else this.keep(); },
      remove: () => { this.lanes = this.lanes.filter((one) => one !== lane); this.arrange(); this.begin(this.timeline.at); },
      go: (step) => { this.timeline.pause(); this.timeline.to(step); },
    });
    this.lanes.push(lane);
    this.arrange();
    return lane;
  }

  /** Adds a second search: IDA* if the first one is A*, otherwise A*. */
  compare() {
    const [first] = this.lanes;
    this.addLane({ algorithm: first.algorithm === 'astar' ? 'idastar' : 'astar', picture: first.picture });
    this.trace(this.timeline.at);
  }

  arrange() {
    const isOnly = this.lanes.length === 1;
    this.lanesBox.classList.toggle('two', !isOnly);
    this.more.hidden = !isOnly;
    for (const lane of this.lanes) lane.drawFields(this.board, isOnly);
    if (this.lanesBox.children.length !== this.lanes.length) fill(this.lanesBox, this.lanes.map(({ element }) => element));
    this.drawFields();
  }

  drawFields() {
    const board = field('Board', { class: 'mono', value: formatBoard(this.board), onchange: ({ target }) => this.type(target) });
    const file = h('input', { type: 'file', accept: '.json,.jsonl,application/json', class: 'vh', tabindex: -1, 'aria-label': 'Trace file', onchange: () => this.load(file) });
    fill(this.fields, board, h('div', { class: 'row' }, button('New board', () => this.draw()), button('A misled search', () => this.mislead()),
      button('Posthoc file', () => this.save(), 'plain'), button('Open a trace', () => file.click(), 'plain'), file));
  }

  /** Opens the board of the link, then shows the step of its search. */
  async open(step) {
    const { board: text, size } = this.params;
    try {
      if (text) this.board = (await readBoard(this.context.engine, text, parseSize(size), { signal: this.context.signal })).board;
      if (this.context.signal.aborted) return;
      this.arrange();
      await this.trace(step);
    } catch (error) {
      if (isAbort(error)) return;
      for (const lane of this.lanes) lane.load(null, this.board, this.goal);
      this.timeline.load(0);
      fill(this.notices, boardFault(error));
    }
  }

  async type(input) {
    try {
      const { board } = await readBoard(this.context.engine, input.value, null, { signal: this.context.signal });
      if (this.context.signal.aborted) return;
      input.setAttribute('aria-invalid', 'false');
      this.change(board);
    } catch (error) {
      if (isAbort(error)) return;
      input.setAttribute('aria-invalid', 'true');
      fill(this.notices, note('bad', error.message));
    }
  }

  /** Takes another board. Searches of a file belong to their board. */
  change(board, goalText = goalOf(this.goalText, board) ? this.goalText : '') {
    Object.assign(this, { board, goalText });
    for (const lane of this.lanes) lane.file = null;
    this.arrange();
    this.trace();
  }

  async draw() {
    try {
      const engine = await this.context.engine;
      const { boards } = await engine.call('scramble', { size: '3x3', length: 10, seed: Math.floor(Math.random() * 2 ** 32) });
      if (!this.context.signal.aborted) this.change(parseBoard(boards[0].board).board, '');
    } catch (error) {
      fill(this.notices, faultNote(error));
    }
  }

  mislead() {
    Object.assign(this.lanes[0], MISLED.choices);
    this.change(parseBoard(MISLED.board).board, '');
  }

  get mostEvents() {
    return this.board.cells.length <= 9 ? MAX_SMALL_EVENTS : MAX_EVENTS;
  }

  problem() {
    return { board: formatBoard(this.board), size: sizeText(this.board), ...(this.goalText && { goal: formatBoard(this.goal) }) };
  }

  keep() {
    const isSquare = this.board.width === this.board.height;
    const board = formatBoard(this.board);
    const [first, second] = this.lanes.map((lane) => lane.link());
    const link = { ...first, algorithm: first.algorithm === 'astar' ? null : first.algorithm };
    for (const name of CHOICES) link[`${name}2`] = second?.[name];
    const { at } = this.timeline;
    this.context.keep({ board, size: isSquare ? null : sizeText(this.board), goal: this.goalText, ...link, step: at > 1 ? at : null }, { board, goal: this.goalText });
  }

  /** Returns the notice for a board that cannot be solved, or null. */
  unsolvable() {
    return unsolvableNote(this.board, this.goal, this.goalText, { onBoard: (board) => this.change(board), onGoal: (goal) => this.change(this.board, goal) });
  }

  async trace(step = 1) {
    this.timeline.pause();
    this.cancel?.abort();
    const { signal } = (this.cancel = new AbortController());
    this.shortest = null;
    fill(this.goalLine, goalLine(this.goalText, this.goal));
    for (const lane of this.lanes.filter(({ file }) => !file)) lane.load(null, this.board, this.goal);
    this.timeline.load(0);
    const unsolvable = this.unsolvable();
    if (unsolvable) {
      this.keep();
      fill(this.notices, unsolvable);
      // The field for a board is far below.
      return this.notices.scrollIntoView({ block: 'nearest' });
    }
    fill(this.notices, note('info', 'Searching…'));
    try {
      const engine = await this.context.engine;
      for (const lane of this.lanes.filter(({ file }) => !file)) {
        const { events, result } = await engine.call('trace', { ...this.problem(), ...lane.request(), max_events: this.mostEvents }, { signal });
        if (signal.aborted) return undefined;
        lane.load(new Trace(events, result), this.board, this.goal);
      }
      this.begin(step);
    } catch (error) {
      if (!isAbort(error)) fill(this.notices, faultNote(error));
    }
    return undefined;
  }

  begin(step) {
    const length = Math.max(...this.lanes.map((lane) => lane.length));
    this.timeline.load(length, (at) => Math.max(...this.lanes.map((lane) => lane.eventsOf(at))));
    fill(this.notices);
    if (length === 0) fill(this.notices, note('info', 'Nothing was expanded.', 'The board is already solved.'));
    this.timeline.to(step);
    this.keep();
  }

  go(step, part) {
    for (const lane of this.lanes) lane.show(step, part);
    this.keep();
    for (const lane of this.lanes) this.judge(lane);
    this.compareEnds();
  }

  /** Shows how a search ended, once it is over, and whether a shorter solution exists. */
  async judge(lane) {
    if (!lane.isOver) return fill(lane.notices);
    const { status, length, moves, expanded, generated } = lane.trace.result;
    if (status === undefined) return fill(lane.notices, lane.trace.hasEnd ? note('good', 'A solution is found.') : null);
    if (status !== 'solved') return fill(lane.notices, isCut(lane.trace.result) ? note('warn', 'The search is not over.', `These are its first ${lane.trace.eventCount.toLocaleString('en')} events.`) : note('warn', 'No solution was found.'));
    const best = lane.file ? {} : await this.solve().catch(() => ({}));
    if (!lane.isOver) return undefined;
    const isLonger = best.optimal && length > best.length;
    const isNews = !lane.notices.firstChild;
    fill(lane.notices, isLonger
      ? [note('warn', `${plural(length, 'move')}, and ${best.length} would do.`, whyLonger(lane.algorithm)), this.bothSolutions(moves, best.moves)]
      : note('good', `${plural(length, 'move')}${best.optimal ? ', the fewest possible' : ''}.`, `${plural(expanded, 'node')} expanded, ${count(generated)} generated.`));
    if (isNews) announce(lane.notices.innerText);
    return undefined;
  }

  /** Returns a shortest solution, if there is one within the time. */
  solve() {
    const { signal } = this.cancel;
    return (this.shortest ??= this.context.engine.then((engine) => engine.call('solve', { ...this.problem(), max_ms: SOLVE_MS }, { signal })));
  }

  /** Shows how many nodes each search has expanded, once both are over. */
  compareEnds() {
    if (this.lanes.length < 2 || this.timeline.length === 0) return;
    if (!this.lanes.every((lane) => lane.isOver)) return fill(this.notices);
    const summary = ({ name, state: { expanded, mostOpen, iterations } }) => `${name}: ${plural(expanded, 'node')} expanded${iterations.length ? '' : `, at most ${mostOpen.toLocaleString('en')} open`}`;
    const [one, two] = this.lanes.map(summary);
    return fill(this.notices, note('info', 'Both searches have ended.', `${one}. ${two}.`));
  }

  /** Creates links that play the solution found and a shortest one. */
  bothSolutions(found, shortest) {
    const solution = (name, moves) => h('div', {}, h('dt', {}, name), h('dd', {},
      h('a', { class: 'mono', href: formatLink('watch', { board: formatBoard(this.board), goal: this.goalText, moves }) }, toTileLetters(moves))));
    return h('dl', { class: 'ways' }, solution('Found', found), solution('A shortest', shortest));
  }

  async save() {
    const [lane] = this.lanes;
    try {
      const engine = await this.context.engine;
      const { text } = await engine.call('trace', { ...this.problem(), ...lane.request(), max_events: this.mostEvents, format: 'posthoc' }, { signal: this.context.signal });
      download(`${lane.algorithm}.trace.json`, text);
    } catch (error) {
      if (!isAbort(error)) fill(this.notices, faultNote(error));
    }
  }

  /** Opens a trace file in place of the first search. */
  async load(input) {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    try {
      if (file.size > MAX_FILE_BYTES) throw new Error('This file is larger than 100 MB.');
      const { events, header, result } = readTrace(await file.text());
      if (this.context.signal.aborted) return;
      const cells = events.find((event) => event.board)?.board;
      const board = parseBoard(header.board ?? cells?.join(' ') ?? '').board;
      const [lane] = this.lanes;
      this.cancel?.abort();
      this.cancel = new AbortController();
      Object.assign(this, { lanes: [lane], board: board ?? this.board, goalText: header.goal && board && goalOf(header.goal, board) ? header.goal : '', shortest: null });
      lane.file = file.name;
      lane.load(new Trace(events, result), this.board, this.goal);
      this.arrange();
      fill(this.goalLine, goalLine(this.goalText, this.goal));
      this.begin(1);
    } catch (error) {
      fill(this.notices, note('bad', `${file.name} cannot be opened.`, error.message, { role: 'alert' }));
    }
  }

  leave() {
    this.timeline.pause();
    this.cancel?.abort();
  }
}

/** Returns why a search of an algorithm has found a solution that is not a shortest. */
function whyLonger(algorithm) {
  if (algorithm === 'greedy') return 'Greedy search ignores the moves made so far, and takes the board that seems nearest to the goal.';
  if (algorithm === 'wastar') return 'With its weight, the estimate was too high somewhere on the shortest path, so the search turned away from it.';
  return 'The estimate was too high somewhere on the shortest path, so the search turned away from it.';
}

const isCut = ({ stopped_by: stopped, complete }) => stopped === 'events' || complete === false;
