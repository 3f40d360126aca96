// Enter: type a board, paste one, or tap the tiles into place.
import { Fault, isAbort } from '../engine/fault.js';
import { inversions, pictureName } from '../parts/arcs.js';
import { BoardView } from '../parts/board.js';
import { button, faultNote, iconButton, loadPart, note, sentence, waiting } from '../parts/controls.js';
import { announce, fill, h, set } from '../parts/dom.js';
import { dragTiles } from '../parts/drag_tiles.js';
import { labelled } from '../parts/fields.js';
import { count, plural } from '../parts/numbers.js';
import { goalFields, sizeFields } from '../parts/setup.js';
import { loadStyle } from '../parts/style.js';
import { goalChoice } from '../parts/unsolvable.js';
import { showSwap } from '../parts/swap.js';
import { exchange, formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { History, putTile, swapCells, typeDigit } from '../puzzle/edit.js';
import { goalOf, homesOf, isSolved, solvedBoard } from '../puzzle/goals.js';
import { formatLink } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';
import { replayIn } from '../puzzle/replay.js';
import { explain } from '../puzzle/solvable.js';
import { validParts } from './link_parts.js';
import { hasLink, readText } from './read_text.js';

await loadStyle('style/later.css');

export const LEAD = 'Type a board, paste one in any form, or tap or drag the tiles into place.';
const SWAP_MS = 420;
const SOLVE_MS = 4000;
const PAUSE_MS = 250;
/** Digits typed within this time form one number. */
const DIGITS_MS = 700;
/** Text typed without a longer pause is undone at once. */
const TYPING_MS = 1000;
/** Up to this number of tiles outside of the board, a touch drags one; more of them scroll the page. */
const FEW = 24;

export function show(root, params, context) {
  const enter = new Enter(root, validParts(params, root), context);
  enter.read(params.board ?? '', false);
  return () => enter.leave();
}

class Enter {
  constructor(root, params, context) {
    this.context = context;
    this.size = parseSize(params.size) ?? { width: 4, height: 4 };
    this.goalText = params.goal ?? '';
    this.picked = null;
    this.history = new History();
    this.typing = { text: '', at: -Infinity };
    this.build(root);
  }

  build(root) {
    this.view = new BoardView({ onPick: (cell) => this.pick(cell) });
    this.input = h('textarea', { class: 'mono', rows: 2, spellcheck: 'false', autocomplete: 'off', placeholder: '5 1 3/2 8 4/6 7 0', oninput: (event) => this.typed(event), 'aria-describedby': 'verdict' });
    this.text = labelled('Board', this.input);
    this.assumed = h('div', { class: 'stack', role: 'status' });
    this.spare = h('div', { class: 'stack' });
    this.verdict = h('div', { id: 'verdict', class: 'stack' });
    this.fields = h('div', { class: 'fields' });
    this.undo = iconButton('undo', 'Undo', () => this.restore('undo'));
    this.redo = iconButton('redo', 'Redo', () => this.restore('redo'));
    const left = h('div', { class: 'stack' }, this.view.element, h('div', { class: 'row' }, this.undo, this.redo, h('span', { class: 'small muted' }, 'Drag a tile onto another to swap them. Type a number into a cell; Delete empties it.')));
    const right = h('div', { class: 'stack panel' }, this.text, this.assumed, this.verdict, h('details', {}, h('summary', {}, 'Size and goal'), this.fields),
      h('div', { class: 'row flush' }, button('Empty board', () => this.clear(), 'plain'), button('Goal as board', () => this.set(solvedBoard(this.goal)), 'plain')));
    this.onPaste = (event) => this.paste(event);
    this.onKey = (event) => this.key(event);
    document.addEventListener('paste', this.onPaste);
    document.addEventListener('keydown', this.onKey);
    const maker = h('details', { ontoggle: () => this.showMaker(maker) }, h('summary', {}, 'A set of boards'));
    const parts = h('div', { class: 'enter' }, left, h('div', { class: 'stack' }, this.spare, right, maker));
    dragTiles(parts, this.view, (element, cell) => this.drop(element, cell));
    root.append(parts);
  }

  get goal() {
    return goalOf(this.goalText, this.size) ?? goalOf(null, this.size);
  }

  drawFields() {
    fill(this.fields, sizeFields(this.size, (size) => { this.size = size; this.goalText = goalOf(this.goalText, size) ? this.goalText : ''; this.clear(); }),
      goalFields(this.goalText, this.size, (goal) => { this.goalText = goal; this.showBoard(); }));
  }

  /** Puts a text that is pasted outside of fields into the text area. */
  paste(event) {
    if (event.target.closest?.(':read-write')) return;
    event.preventDefault();
    this.read(event.clipboardData.getData('text/plain'), false);
  }

  /** Reads the text area. What is typed without a pause is undone in one step. */
  typed({ target, inputType, timeStamp }) {
    if (inputType === 'insertFromPaste' || !(timeStamp - this.lastTyped < TYPING_MS)) this.group = `text ${timeStamp}`;
    this.lastTyped = timeStamp;
    this.read(target.value, true, this.group);
  }

  /** Reads a text. Simple forms are parsed here at once, all others by the engine. */
  read(text, isTyped, group = null) {
    this.picked = null;
    this.cells ??= solvedBoard(this.goal).cells;
    fill(this.assumed);
    const replay = replayIn(text);
    if (replay) return this.context.go('watch', { r: replay });
    if (!isTyped) this.input.value = text;
    if (!text.trim()) return this.set(solvedBoard(this.goal), !isTyped, group);
    if (hasLink(text)) return this.askEngine(text, group);
    const { board, faults, rough } = parseBoard(text, this.size);
    const read = board ?? rough;
    if (read) Object.assign(this, { size: { width: read.width, height: read.height }, cells: read.cells });
    if (board) return this.showBoard([], group);
    this.showBoard(faults, group);
    return this.askEngine(text, group);
  }

  async askEngine(text, group) {
    const cancel = this.renew();
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    if (cancel.aborted) return;
    const onEvent = (event, data) => {
      if (!cancel.aborted && waiting(event, data)) fill(this.assumed, note('warn', ...waiting(event, data)));
    };
    try {
      const { board, goalText, notes } = await readText(this.context.engine, text, this.size, { signal: cancel, onEvent });
      if (cancel.aborted) return;
      this.goalText = goalText ?? this.goalText;
      this.set(board, false, group);
      fill(this.assumed, notes.map((assumed) => note('info', `Loyd ${assumed}.`, '')));
    } catch (error) {
      if (isAbort(error)) return;
      fill(this.assumed);
      // The faults of a typed board are on display already.
      if (error instanceof Fault) fill(this.verdict, faultNote(error));
      else if (hasLink(text)) {
        set(this.input, { 'aria-invalid': 'true' });
        fill(this.verdict, note('bad', 'This link cannot be opened.', sentence(error.message), { role: 'alert' }));
      }
    }
  }

  renew() {
    this.cancel?.abort();
    this.cancel = new AbortController();
    return this.cancel.signal;
  }

  set(board, writes = true, group = null) {
    Object.assign(this, { size: { width: board.width, height: board.height }, cells: board.cells, picked: null });
    if (writes) this.write();
    this.showBoard(null, group);
  }

  clear() {
    this.cells = new Array(this.size.width * this.size.height).fill(null);
    this.picked = { tile: 1 };
    this.write();
    this.showBoard();
  }

  write() {
    this.input.value = formatBoard({ ...this.size, cells: this.cells.map((tile) => tile ?? '*') });
  }

  get missing() {
    return this.cells.map((_, tile) => tile).filter((tile) => !this.cells.includes(tile));
  }

  /** Shows the board and adds it to the history; states of a group are undone in one step. */
  showBoard(given = null, group = null) {
    const board = { ...this.size, cells: this.cells };
    const faults = given ?? parseBoard(formatBoard({ ...board, cells: this.cells.map((tile) => tile ?? '*') }), this.size, true).faults ?? [];
    this.faults = faults;
    if (this.goalText && !goalOf(this.goalText, this.size)) this.goalText = '';
    this.remember(group);
    const pair = this.isWhole ? explain(board, this.goal).mend : null;
    this.view.show(board, this.stableGoal(), { marks: { faults: faults.flatMap(({ cells }) => cells), swap: pair ?? [], picked: this.picked?.cell } });
    set(this.input, { 'aria-invalid': faults.length ? 'true' : null });
    this.drawFields();
    this.showSpare();
    this.judge(board);
    const isSquare = this.size.width === this.size.height;
    this.context.keep({ board: formatBoard(board).replaceAll('*', '_'), size: isSquare ? null : sizeText(this.size), goal: this.goalText },
      this.isWhole ? { board: formatBoard(board), goal: this.goalText } : {});
  }

  /** Returns the previous goal object if the goal has not changed, so that the board is not built again. */
  stableGoal() {
    const key = `${sizeText(this.size)} ${this.goalText}`;
    if (this.goalKey !== key) Object.assign(this, { goalKey: key, keptGoal: this.goal });
    return this.keptGoal;
  }

  get isWhole() {
    return this.faults.length === 0 && !this.cells.includes(null);
  }

  showSpare() {
    const { missing } = this;
    this.spare.hidden = missing.length === 0;
    if (missing.length === 0) return fill(this.spare);
    const homes = homesOf(this.goal);
    const tile = (number) => {
      const row = homes.has(number) && number ? ` r${(Math.floor(homes.get(number) / this.size.width) % 5) + 1}` : '';
      const isPicked = this.picked?.tile === number;
      return h('button', { type: 'button', 'data-tile': number, class: `tile${row}${isPicked ? ' picked' : ''}`, 'aria-pressed': String(isPicked), 'aria-label': number ? `Tile ${number}, not on the board` : 'Blank, not on the board',
        onclick: () => { this.picked = isPicked ? null : { tile: number }; this.showSpare(); } }, number || '');
    };
    const words = this.picked?.tile === undefined ? 'Tap one, then tap a cell.' : `Tap the cell for ${this.picked.tile || 'the blank'}.`;
    return fill(this.spare, h('p', { class: 'small muted' }, `Not on the board yet. ${words}`), h('div', { class: `spare-tiles${missing.length <= FEW ? ' few' : ''}` }, missing.map(tile)));
  }

  remember(group) {
    const { size, cells, goalText, history } = this;
    history.add({ key: JSON.stringify([size, cells, goalText]), size, cells, goalText }, group);
    this.undo.disabled = !history.canUndo;
    this.redo.disabled = !history.canRedo;
  }

  restore(direction) {
    const state = this.history[direction]();
    if (!state) return;
    const { size, cells, goalText } = state;
    fill(this.assumed);
    Object.assign(this, { size, cells, goalText, picked: null });
    this.write();
    this.showBoard();
  }

  key(event) {
    if (event.target.closest?.(':read-write')) return;
    const letter = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
    if (letter === 'z' || letter === 'y') this.restore(letter === 'y' || event.shiftKey ? 'redo' : 'undo');
    else if (letter || event.altKey || !this.view.board.contains(event.target) || !this.edit(event.key, this.view.cellOf(event.target))) return;
    event.preventDefault();
  }

  /** Handles a key on a cell. Returns false for keys that do not edit the board. */
  edit(key, cell) {
    if (/^[0-9]$/.test(key)) this.type(key, cell);
    else if (key === 'Delete' || key === 'Backspace') this.change(this.cells.with(cell, null), cell);
    else return false;
    return true;
  }

  /** Puts the tile of the typed digits into a cell. */
  type(digit, cell) {
    const now = performance.now();
    const isSame = this.typing.cell === cell && now - this.typing.at < DIGITS_MS && this.typing.result === this.cells;
    const { text, tile } = typeDigit(isSame ? this.typing.text : '', digit, this.cells.length);
    const continues = isSame && text.length > 1;
    const { before, group } = continues ? this.typing : { before: this.cells, group: `digits ${now}` };
    if (tile === null) return fill(this.assumed, note('warn', `There is no tile ${text} here.`, `Tiles are 1 to ${this.cells.length - 1}; 0 is the blank.`));
    this.change(putTile(before, cell, tile), cell, group);
    this.typing = { cell, text, before, group, at: now, result: this.cells };
    return undefined;
  }

  /** Puts a tile that was dragged onto a cell: from another cell, or from outside of the board. */
  drop(element, cell) {
    const from = this.view.board.contains(element) ? this.view.cellOf(element) : -1;
    this.change(from < 0 ? putTile(this.cells, cell, Number(element.dataset.tile)) : swapCells(this.cells, from, cell), cell);
  }

  /** Shows the board after an edit of a cell, which gets the focus. */
  change(cells, cell, group = null) {
    fill(this.assumed);
    this.view.current = cell;
    Object.assign(this, { cells, picked: null });
    this.write();
    this.showBoard(null, group);
    this.view.at(cell).element.focus({ preventScroll: true });
  }

  /** Picks up the tile on a cell, or puts down the picked tile. */
  pick(cell) {
    const taken = this.picked;
    const cells = this.cells.slice();
    if (taken?.tile !== undefined) {
      cells[cell] = taken.tile;
      this.cells = cells;
      const next = this.missing.find((tile) => tile > taken.tile) ?? this.missing[0];
      this.picked = next === undefined ? null : { tile: next };
    } else if (taken) {
      this.cells = swapCells(cells, taken.cell, cell);
      this.picked = null;
    } else this.picked = { cell };
    if (taken) this.write();
    this.view.current = cell;
    this.showBoard();
    this.view.at(cell).element.focus({ preventScroll: true });
  }

  judge(board) {
    const cancel = this.renew();
    if (this.faults.length) {
      const [first, ...rest] = this.faults;
      return fill(this.verdict, note('bad', first.text, rest.map(({ text }) => text).join(' '), { role: 'alert' }));
    }
    if (!this.isWhole) return fill(this.verdict, note('info', `${plural(this.missing.length, 'cell')} to go.`, 'Tap a cell to put the tile there.'));
    const parity = explain(board, this.goal);
    return parity.solvable ? this.judgeSolvable(board, cancel) : this.judgeUnsolvable(board, parity);
  }

  judgeUnsolvable(board, parity) {
    const [a, b] = parity.mend;
    const tiles = board.cells.filter(Boolean);
    fill(this.verdict, note('warn', 'This board cannot be solved.', whyNot(parity, pictureName(tiles)), { role: 'status' }),
      inversions(tiles, parity.pairs, parity.mend),
      h('div', { class: 'row' }, button(`Swap ${a} and ${b}`, () => this.swap(board, parity.mend), 'primary'),
        h('span', { class: 'small muted' }, 'makes the number even, and the board solvable')),
      goalChoice(board, this.goal, (name) => { this.goalText = name; this.showBoard(); }));
  }

  swap(board, mend) {
    const next = exchange(board, ...mend);
    showSwap(this.view, next, mend, SWAP_MS);
    this.cells = next.cells;
    this.write();
    this.showBoard();
    announce(`Tiles ${mend.join(' and ')} have traded places. The board can be solved.`);
  }

  async judgeSolvable(board, cancel) {
    const link = { board: formatBoard(board), goal: this.goalText };
    const verdict = h('div', { role: 'status' }, note('good', 'This board can be solved.'));
    fill(this.verdict, verdict, h('div', { class: 'row' },
      h('a', { class: 'btn primary', href: formatLink('watch', link) }, 'Watch the solution'), h('a', { class: 'btn', href: formatLink('play', link) }, 'Play it')));
    if (isSolved(board, this.goal)) return fill(verdict, note('good', 'This board is solved.'));
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    if (cancel.aborted) return undefined;
    const request = { board: link.board, size: sizeText(this.size), max_ms: SOLVE_MS, ...(this.goalText && { goal: formatBoard(this.goal) }) };
    try {
      const engine = await this.context.engine;
      const answer = await engine.call('solve', request, { signal: cancel });
      if (!cancel.aborted) fill(verdict, note('good', 'This board can be solved.', lengthText(answer)));
    } catch (error) {
      if (!isAbort(error)) verdict.append(faultNote(error));
    }
    return undefined;
  }

  async showMaker(maker) {
    if (!maker.open || maker.querySelector('textarea')) return;
    maker.querySelector('.note')?.remove();
    const part = await loadPart(() => import('./set_maker.js'), (fault) => maker.append(fault));
    if (part && !maker.querySelector('textarea')) maker.append(part.setMaker(this.context.engine));
  }

  leave() {
    this.cancel?.abort();
    document.removeEventListener('paste', this.onPaste);
    document.removeEventListener('keydown', this.onKey);
  }
}

function lengthText({ status, optimal, length, lower_bound: least }) {
  if (status !== 'solved') return 'No solution was found in time.';
  return optimal ? `${plural(length, 'move')} solve it, and no fewer.` : `${plural(length, 'move')} solve it; at least ${least} are needed.`;
}

function whyNot({ pairs, blankRows, wide }, picture) {
  const stand = pairs.length === 1 ? 'One pair stands' : `${plural(pairs.length, 'pair')} stand`;
  if (!wide) return `${stand} in the wrong order (${picture}), an odd number. On a board of this width no move changes that, and the goal has none.`;
  const blank = blankRows ? `${plural(blankRows, 'row')} from home` : 'in its row';
  return `${stand} in the wrong order (${picture}), and the blank is ${blank}: together ${count(pairs.length + blankRows)}, an odd number. No move changes that, and the goal has none.`;
}
