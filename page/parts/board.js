// The board: tiles are laid out once and moved by transforms. On an interactive board each tile is a button.
import { blankOf, neighbour, slideTo } from '../puzzle/board.js';
import { homesOf } from '../puzzle/goals.js';
import { OPPOSITE } from '../puzzle/moves.js';
import { icon } from './controls.js';
import { calmMotion, h, newId, set } from './dom.js';
import { followPointer } from './gestures.js';

const GAP = 0.045;
const TINTS = 5;
/** Moves of the blank by the place of a key on the keyboard: arrows, WASD, and HJKL as in editors. */
const KEYS = {
  ArrowUp: 'd', ArrowDown: 'u', ArrowLeft: 'r', ArrowRight: 'l', KeyW: 'd', KeyS: 'u', KeyA: 'r', KeyD: 'l', KeyK: 'd', KeyJ: 'u', KeyH: 'r', KeyL: 'l',
};
/** Turns of the arrow, which points up, by the move of the blank: the tile goes the other way. */
const TURNS = { u: '180deg', d: '0deg', l: '90deg', r: '270deg' };
/** Time after the last move until screen readers get the new order of the tiles; their names change at once. */
const ORDER_MS = 250;
/** Below this width in pixels, tiles have no foot and no shadow. */
const TINY_PX = 28;

/**
 * Returns the moves of the blank for a key, which is the direction of the tile: one move, or with Shift all moves up to
 * the edge; '' if the blank is at the edge, undefined for other keys.
 */
export function movesOfKey(event, board) {
  const letter = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.code];
  if (!letter) return undefined;
  let moves = '';
  for (let cell = neighbour(board, blankOf(board), letter); cell >= 0; cell = neighbour(board, cell, letter)) {
    moves += letter;
    if (!event.shiftKey) break;
  }
  return moves;
}

export class BoardView {
  /** `onMove(letters)` makes the board playable, `onPick(cell)` editable; with neither it is a picture. */
  constructor({ label = 'Board', onMove = null, onPick = null } = {}) {
    Object.assign(this, { label, onMove, onPick, pieces: [], marks: {}, marked: [], current: 0, colours: 'rows', onBuild: () => {} });
    this.isPlain = !onMove && !onPick;
    this.board = h('div', { class: 'board' });
    this.element = h('div', { class: 'tray' }, this.board);
    if (onMove) followPointer(this);
    if (!this.isPlain) this.board.addEventListener('keydown', (event) => this.pressed(event));
    this.board.addEventListener('click', (event) => this.clicked(event));
    new ResizeObserver(([{ contentRect }]) => {
      this.board.classList.toggle('tiny', contentRect.width / (this.state?.width ?? 4) < TINY_PX);
    }).observe(this.board);
  }

  /** Shows a board. Tiles slide to their new cells within `ms` milliseconds. Only what differs from before is changed. */
  show(state, goal, { ms = 0, marks = {} } = {}) {
    const isNew = goal !== this.goal || !this.fits(state);
    const before = isNew ? null : this.state;
    Object.assign(this, { state, goal });
    if (isNew) this.build();
    const time = `${calmMotion() ? 0 : ms}ms`;
    if (time !== this.time) this.board.style.setProperty('--time', (this.time = time));
    this.changeMarks(marks);
    this.place(before);
    if (!this.isPlain) this.name(before);
    this.describe();
  }

  /** Returns whether the pieces suffice for a board: it has the same size, and each tile once. */
  fits({ width, height, cells }) {
    if (!this.state || this.state.width !== width || this.state.height !== height || this.hasDouble) return false;
    const changed = cells.filter((tile, cell) => tile !== this.state.cells[cell]);
    return changed.every((tile) => this.byTile.has(tile)) && (changed.length === 0 || new Set(cells).size === cells.length);
  }

  build() {
    const { width, height, cells } = this.state;
    set(this.board, { role: this.isPlain ? 'img' : 'group' });
    for (const [name, value] of [['--n', width], ['--rows', height], ['--digits', String(width * height - 1).length]]) this.board.style.setProperty(name, value);
    this.element.style.setProperty('--ratio', width / height);
    // Distance between cells in per cent of a tile: a tile and a gap, whose width in the style sheet depends on the
    // board's.
    this.step = 100 * (1 + GAP / (1 - (GAP * (width + 3)) / width));
    this.homes = homesOf(this.goal);
    this.pieces = cells.map((tile) => ({ tile, element: tile ? this.tile(tile) : this.hole(tile) }));
    this.byTile = new Map(this.pieces.map((piece) => [piece.tile, piece]));
    this.hasDouble = this.byTile.size < cells.length || cells.includes(null);
    this.board.replaceChildren(...this.pieces.map(({ element }) => element));
    Object.assign(this, { marks: {}, marked: [], stop: null, arrow: null });
    // A smaller board may not have the cell of the tab stop.
    if (this.current >= cells.length) this.current = 0;
    this.onBuild();
  }

  /** Makes the next `show` create all tiles again. */
  rebuild() {
    this.goal = null;
  }

  /** Returns the number of the tint of a tile: by the row of its home, or by its fringe: the first row and column, then the next. */
  tintOf(home) {
    if (this.colours === 'plain') return 0;
    const [row, column] = [Math.floor(home / this.state.width), home % this.state.width];
    return ((this.colours === 'fringe' ? Math.min(row, column) : row) % TINTS) + 1;
  }

  tile(tile) {
    const home = this.homes.get(tile);
    const tint = home === undefined ? '' : ` r${this.tintOf(home)}`;
    const props = { class: `tile${tint}`, id: newId('tile') };
    return this.isPlain ? h('span', props, tile) : h('button', { type: 'button', tabindex: -1, ...props }, tile);
  }

  hole(tile) {
    if (!this.onPick) return h('span', { class: 'hole', id: newId('hole'), role: this.isPlain ? null : 'img' }, icon('up'));
    return h('button', { type: 'button', tabindex: -1, class: `hole${tile === null ? ' empty' : ''}`, id: newId('hole') });
  }

  /** Returns the piece on a cell. Invalid boards may have a tile twice, so their pieces are not looked up by tile. */
  at(cell) {
    return this.hasDouble ? this.pieces[cell] : this.byTile.get(this.state.cells[cell]);
  }

  /** Moves the pieces of the cells that differ from the board before, or all pieces if that is null. */
  place(before) {
    const { width, cells } = this.state;
    cells.forEach((tile, cell) => {
      if (before && before.cells[cell] === tile) return;
      const { element } = Object.assign(this.at(cell), { cell });
      element.classList.toggle('home', tile !== null && tile !== 0 && this.homes.get(tile) === cell);
      element.style.transform = `translate(${(cell % width) * this.step}%, ${Math.floor(cell / width) * this.step}%)`;
    });
  }

  /** Updates the marks: {moved: tile, hint: tile, swap: [tiles], grey: [tiles], faults: [cells], picked: cell, arrow: letter}. */
  changeMarks(marks) {
    for (const [element, name] of this.marked) element.classList.remove(name);
    this.marked = [];
    const mark = (cell, name) => {
      const element = cell < 0 ? null : this.at(cell)?.element;
      if (!element) return;
      element.classList.add(name);
      this.marked.push([element, name]);
    };
    for (const name of ['moved', 'hint']) if (marks[name]) mark(this.state.cells.indexOf(marks[name]), name);
    for (const name of ['swap', 'grey']) for (const tile of marks[name] ?? []) mark(this.state.cells.indexOf(tile), name);
    for (const cell of marks.faults ?? []) mark(cell, 'fault');
    mark(marks.picked ?? -1, 'picked');
    this.marks = marks;
    this.pointArrow(marks);
  }

  /** Points the arrow in the cell that the tile has left, or to which a hint moves it. */
  pointArrow({ arrow = null, hint = null }) {
    const element = this.byTile.get(0)?.element;
    if (!element?.firstChild || this.arrow === `${arrow}${hint}`) return;
    this.arrow = `${arrow}${hint}`;
    if (arrow) element.firstChild.style.rotate = TURNS[arrow];
    element.classList.toggle('points', Boolean(arrow));
    element.classList.toggle('to-hint', Boolean(hint));
  }

  /** Sets the labels for screen readers and the single tab stop. */
  name(before) {
    const { width, cells } = this.state;
    for (const cell of this.renamed(before)) {
      const { element } = this.at(cell);
      const label = this.nameOf(cells[cell], cell, width);
      if (element.ariaLabel !== label) element.ariaLabel = label;
    }
    clearTimeout(this.ordering);
    if (before) this.ordering = setTimeout(() => this.order(), ORDER_MS);
    else this.order();
    if (this.onMove && !slideTo(this.state, this.current)) this.current = this.firstMovable();
    this.focusable(this.current);
  }

  /** Returns the cells whose names may have changed: after moves, those in line with the blank, then or now. */
  renamed(before) {
    const all = this.state.cells.map((_, cell) => cell);
    const wasBlind = this.wasBlind;
    this.wasBlind = this.isBlind;
    if (!before || !this.onMove || wasBlind !== this.isBlind) return all;
    const { width } = this.state;
    const blanks = [blankOf(before), blankOf(this.state)];
    const isInLine = (cell) => blanks.some((blank) => cell % width === blank % width || Math.floor(cell / width) === Math.floor(blank / width));
    return all.filter((cell) => isInLine(cell) || before.cells[cell] !== this.state.cells[cell]);
  }

  /** Lets screen readers read the tiles by their cells. */
  order() {
    set(this.board, { 'aria-owns': this.state.cells.map((_, cell) => this.at(cell).element.id).join(' ') });
  }

  nameOf(tile, cell, width) {
    const parts = [tile === null ? 'empty' : (this.isBlind && tile ? 'hidden tile' : tile || 'blank'), `row ${Math.floor(cell / width) + 1}`, `column ${(cell % width) + 1}`];
    if (tile && !this.isBlind && this.homes.get(tile) === cell) parts.push('in place');
    if (tile && this.onMove && slideTo(this.state, cell)) parts.push('can move');
    if (this.marks.faults?.includes(cell)) parts.push('fault');
    if (this.marks.picked === cell) parts.push('picked up');
    return parts.join(', ');
  }

  firstMovable() {
    return this.state.cells.findIndex((_, cell) => slideTo(this.state, cell).length === 1);
  }

  focusable(cell) {
    this.current = Math.max(cell, 0);
    const { element } = this.at(this.current);
    if (element === this.stop) return;
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = element.tagName === 'BUTTON' ? element : null;
    if (this.stop) this.stop.tabIndex = 0;
  }

  describe() {
    const { width, height } = this.state;
    const what = this.onMove ? '. Arrow keys move a tile into the blank.' : this.onPick ? '. Arrow keys go from cell to cell; Enter takes a tile or puts it down.' : '';
    const cells = this.isPlain && width * height <= 36 ? `: ${this.state.cells.map((tile) => tile || 'blank').join(' ')}` : '';
    const label = `${this.label}, ${width} by ${height}${cells}${what}`;
    if (this.board.ariaLabel !== label) this.board.ariaLabel = label;
  }

  cellOf(element) {
    const index = this.pieces.findIndex((piece) => piece.element === element?.closest('.tile, .hole'));
    return index < 0 ? -1 : this.pieces[index].cell;
  }

  clicked(event) {
    const cell = this.cellOf(event.target);
    if (cell < 0) return;
    if (this.onPick) this.onPick(cell);
    // Pointer events have made their move already; this click is from a key or a screen reader.
    else if (this.onMove && event.detail === 0) this.slide(cell);
  }

  slide(cell) {
    const letters = slideTo(this.state, cell);
    if (letters) this.onMove(letters);
  }

  pressed(event) {
    const moves = movesOfKey(event, this.state);
    if (moves === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.onMove) {
      if (!moves) return;
      const { element } = this.at(neighbour(this.state, blankOf(this.state), moves[0]));
      this.onMove(moves);
      this.focusable(this.pieces.find((piece) => piece.element === element).cell);
      element.focus({ preventScroll: true });
    } else {
      const next = neighbour(this.state, this.current, OPPOSITE[KEYS[event.code]]);
      if (next < 0) return;
      this.focusable(next);
      this.at(next).element.focus({ preventScroll: true });
    }
  }
}
