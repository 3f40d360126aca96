// Learn: one idea per page, with a running example.
import { isAbort } from '../engine/fault.js';
import { inversions } from '../parts/arcs.js';
import { BoardView } from '../parts/board.js';
import { barTable } from '../parts/chart.js';
import { button, faultNote, loadPart, note } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { field } from '../parts/fields.js';
import { plural } from '../parts/numbers.js';
import { PatternFigure } from '../parts/pattern_figure.js';
import { loadStyle } from '../parts/style.js';
import { showSwap } from '../parts/swap.js';
import { exchange, formatBoard, sizeText, walk } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { formatLink } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';
import { explain } from '../puzzle/solvable.js';
import { LESSONS } from './lessons.js';
import { boardFault, oneOf, validParts } from './link_parts.js';

await loadStyle('style/later.css');
await loadStyle('style/learn.css');

export const LEAD = 'One idea per page, with the real search next to it.';
const SLIDE_MS = 120;
const SWAP_MS = 420;
const PAUSE_MS = 300;

export function show(root, given, context) {
  const params = validParts(given, root, { page: ['a lesson', oneOf(...LESSONS.map(({ name }) => name))] });
  const lesson = LESSONS.find(({ name }) => name === params.page) ?? LESSONS[0];
  const page = new Page(lesson, params, context);
  const tabs = h('nav', { class: 'lessons', 'aria-label': 'Lessons' }, LESSONS.map(({ name, tab }) =>
    h('a', { href: formatLink('learn', { page: name }), 'aria-current': name === lesson.name ? 'page' : null }, tab)));
  if (page.fault) root.append(boardFault({ message: page.fault }));
  root.append(tabs, page.element);
  page.begin();
  return () => page.leave();
}

class Page {
  constructor(lesson, params, context) {
    Object.assign(this, { lesson, context, rows: [], shown: 0 });
    const usual = parseBoard(lesson.board).board;
    const { board: requested = null, faults = null } = params.board ? parseBoard(params.board) : {};
    this.fault = requested ? null : faults?.[0].text;
    // Pattern tables are only built for the size of the lesson.
    this.board = requested && (!lesson.tiles || sizeText(requested) === sizeText(usual)) ? requested : usual;
    this.goal = goalOf(lesson.goal, this.board);
    this.view = new BoardView({ onMove: (letters) => this.change(walk(this.board, letters), SLIDE_MS) });
    this.figure = h('div', { class: 'stack' });
    this.message = h('div', { role: 'status' });
    this.pattern = lesson.tiles ? this.newPattern(params.tiles) : null;
    this.on = button(lesson.action, () => (this.pattern ? this.pattern.make() : lesson.rows ? this.reveal() : this.swap()), 'primary');
    this.element = this.build();
  }

  newPattern(text) {
    const tiles = text?.split(',').map(Number) ?? this.lesson.tiles;
    const pattern = new PatternFigure(this.goal, tiles, () => { this.showBoard(0); this.keep(); });
    this.figure.append(pattern.element);
    return pattern;
  }

  build() {
    const { lesson } = this;
    const acts = h('div', { class: 'row' }, this.on, lesson.length ? button('New board', () => this.draw()) : null,
      h('details', {}, h('summary', {}, 'Type a board'), field('Board', { class: 'mono', placeholder: '5 1 3/2 8 4/6 7 0', onchange: ({ target }) => this.type(target) })));
    return h('article', { class: 'panel learn' },
      h('div', { class: 'stack text' }, h('h2', { class: 'lh' }, lesson.title), lesson.text.map((text) => h('p', {}, text)), acts),
      h('div', { class: 'learn-side' }, h('div', { class: 'stack small-board' }, this.view.element, h('p', { class: 'small muted' }, 'Move the tiles: the figure follows.')),
        h('div', { class: 'stack' }, this.figure, this.message)));
  }

  begin() {
    this.change(this.board, 0);
  }

  type(input) {
    const { board } = parseBoard(input.value);
    const fits = board && board.width === this.board.width && board.height === this.board.height;
    input.setAttribute('aria-invalid', String(!fits));
    if (!fits) return fill(this.message, note('bad', `Type the tiles of a ${this.board.width} × ${this.board.height} board.`));
    this.shown = 1;
    return this.change(board, 0);
  }

  keep() {
    const { name } = this.lesson;
    const board = formatBoard(this.board);
    const isExample = board === formatBoard(parseBoard(this.lesson.board).board);
    // The example does not replace the board of the other views.
    this.context.keep({ page: name, board: isExample ? null : board, tiles: this.pattern?.tiles.join() }, isExample ? null : { board, goal: this.lesson.goal });
  }

  change(board, ms) {
    this.board = board;
    this.showBoard(ms);
    this.keep();
    if (this.pattern) this.pattern.show(board);
    if (this.lesson.rows || this.pattern) return this.work(ms ? PAUSE_MS : 0);
    return this.drawParity();
  }

  /** Shows the board. Tiles outside the pattern are grey. */
  showBoard(ms) {
    this.view.show(this.board, this.goal, { ms, marks: this.pattern ? { grey: this.pattern.others } : {} });
  }

  /** Computes the rows again, after the reader has not moved a tile for a moment. */
  async work(pause) {
    this.cancel?.abort();
    const { signal } = (this.cancel = new AbortController());
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    if (signal.aborted) return;
    if (!explain(this.board, this.goal).solvable) return fill(this.message, note('warn', 'This board cannot be solved.'));
    try {
      const engine = await this.context.engine;
      const goal = this.lesson.goal && { goal: this.lesson.goal };
      const request = { board: formatBoard(this.board), size: sizeText(this.board), ...goal };
      if (this.pattern) return this.pattern.show(this.board, (await engine.call('solve', request, { signal })).length);
      const rows = await this.lesson.rows(engine, request, signal);
      if (signal.aborted) return;
      Object.assign(this, { rows, shown: Math.min(Math.max(this.shown, 1), rows.length) });
      this.drawRows();
    } catch (error) {
      if (!isAbort(error)) fill(this.message, faultNote(error));
    }
  }

  drawRows() {
    const { caption, heads, isLog = true } = this.lesson;
    const rest = this.rows.length - this.shown;
    // Rows that are not shown yet are part of the scale, so that bars do not shrink when they appear.
    const all = barTable(caption, this.rows, { heads, isLog });
    [...all.querySelectorAll('tbody tr')].slice(this.shown).forEach((row) => { row.classList.add('to-come'); row.setAttribute('aria-hidden', 'true'); });
    this.drawBoards(all);
    fill(this.figure, this.rows.length ? all : h('p', { class: 'small muted' }, 'This board is the goal. Make a move.'));
    this.on.disabled = rest <= 0;
    fill(this.message, rest > 0 || !this.rows.length ? null : h('p', { class: 'small muted' }, `${this.lesson.ending ?? 'That is all.'} The last row has ${this.rows.at(-1)[1].toLocaleString('en')}.`));
  }

  /** Draws the boards of the rows shown so far, each below its bar. */
  async drawBoards(table) {
    const { rows, shown, board: { width, height } } = this;
    if (!rows.some(({ boards }) => boards)) return;
    const part = await loadPart(() => import('../parts/small_boards.js'), (fault) => fill(this.message, fault));
    if (!part) return;
    const lines = [...table.querySelectorAll('tbody tr')];
    rows.slice(0, shown).forEach(({ 0: name, boards }, place) => {
      const pictures = part.smallBoards(boards.map((cells) => ({ width, height, cells })), this.goal, `Boards after ${name}`);
      lines[place].after(h('tr', { class: 'pictures' }, h('td', { colspan: 3 }, pictures)));
    });
  }

  reveal() {
    if (this.rows.length === 0) return;
    this.shown = Math.min(this.shown + 1, this.rows.length);
    this.drawRows();
    const [name, number] = this.rows[this.shown - 1];
    announce(`${name}: ${number.toLocaleString('en')}.`);
  }

  drawParity() {
    const { pairs, solvable } = explain(this.board, this.goal);
    const isOdd = pairs.length % 2 === 1;
    fill(this.figure, h('p', { class: 'figure' }, h('b', {}, pairs.length), isOdd ? ' pairs, odd' : ' pairs, even'),
      inversions(this.board.cells.filter(Boolean), pairs, null));
    fill(this.message, solvable ? note('good', 'It can be solved.', 'Move tiles: the number changes by 0 or 2.') : note('warn', 'It cannot be solved.', 'Move tiles as you like: the number stays odd.'));
  }

  swap() {
    const tiles = this.board.cells.filter(Boolean);
    const [a, b] = tiles.slice(-2);
    const next = exchange(this.board, a, b);
    showSwap(this.view, next, [a, b], SWAP_MS);
    this.board = next;
    this.keep();
    this.drawParity();
    announce(`${plural(explain(next, this.goal).pairs.length, 'pair')} in the wrong order.`);
  }

  async draw() {
    try {
      const engine = await this.context.engine;
      const { length } = this.lesson;
      const size = sizeText(this.board);
      const request = { size, seed: Math.floor(Math.random() * 2 ** 32), ...(size === '3x3' ? { length } : { steps: length * 3 }), ...(this.lesson.goal && { goal: this.lesson.goal }) };
      const { boards } = await engine.call('scramble', request);
      this.shown = 1;
      this.change(parseBoard(boards[0].board).board, 0);
    } catch (error) {
      fill(this.message, faultNote(error));
    }
  }

  leave() {
    this.pattern?.stop();
    this.cancel?.abort();
  }
}
