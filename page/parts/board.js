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
const ARROW_OF = { u: 'down', d: 'up', l: 'right', r: 'left' };
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

  /** Shows a board. Tiles slide to their new cells within `ms` milliseconds. */
  show(state, goal, { ms = 0, marks = {} } = {}) {
    const isNew = !this.fits(state) || goal !== this.goal;
    Object.assign(this, { state, goal });
    if (isNew) this.build();
    const time = `${calmMotion() ? 0 : ms}ms`;
    if (time !== this.time) this.board.style.setProperty('--time', (this.time = time));
    this.changeMarks(marks);
    this.place();
    if (!this.isPlain) this.name();
    this.describe();
  }

  fits({ width, height, cells }) {
    const known = this.state && this.state.width === width && this.state.height === height;
    return known && new Set(cells).size === cells.length && cells.every((tile) => tile === 0 || this.byTile.has(tile)) && !this.hasDouble;
  }

  build() {
    const { width, height, cells } = this.state;
    set(this.board, { role: this.isPlain ? 'img' : 'group' });
    for (const [name, value] of [['--n', width], ['--rows', height], ['--digits', String(width * height - 1).length]]) this.board.style.setProperty(name, value);
    this.element.style.setProperty('--ratio', width / height);
    this.homes = homesOf(this.goal);
    this.pieces = cells.map((tile) => ({ tile, element: tile ? this.tile(tile) : this.hole(tile) }));
    this.byTile = new Map(this.pieces.map((piece) => [piece.tile, piece]));
    this.hasDouble = this.byTile.size < cells.length || cells.includes(null);
    this.board.replaceChildren(...this.pieces.map(({ element }) => element));
    this.marks = {};
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
    if (!this.onPick) return h('span', { class: 'hole', id: newId('hole') });
    return h('button', { type: 'button', tabindex: -1, class: `hole${tile === null ? ' empty' : ''}`, id: newId('hole') });
  }

  /** Returns the piece on a cell. Invalid boards may have a tile twice, so their pieces are not looked up by tile. */
  at(cell) {
    return this.hasDouble ? this.pieces[cell] : this.byTile.get(this.state.cells[cell]);
  }

  place() {
    const { width, cells } = this.state;
    // Distance between cells in per cent of a tile: a tile and a gap, whose width in the style sheet depends on the
    // board's.
    const step = 100 * (1 + GAP / (1 - (GAP * (width + 3)) / width));
    cells.forEach((tile, cell) => {
      const piece = this.at(cell);
      const isHome = tile !== null && tile !== 0 && this.homes.get(tile) === cell;
      if (piece.cell === cell && piece.isHome === isHome) return;
      Object.assign(piece, { cell, isHome });
      piece.element.classList.toggle('home', isHome);
      piece.element.style.transform = `translate(${(cell % width) * step}%, ${Math.floor(cell / width) * step}%)`;
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
    this.drawArrow(marks);
  }

  /** Draws the arrow in the cell that the tile has left, or to which a hint moves it. */
  drawArrow({ arrow = null, hint = null }) {
    const element = this.byTile.get(0)?.element;
    if (!element || this.arrow === `${arrow}${hint}`) return;
    this.arrow = `${arrow}${hint}`;
    element.replaceChildren(...(arrow ? [icon(ARROW_OF[arrow])] : []));
    element.classList.toggle('to-hint', Boolean(hint));
  }

  /** Sets the labels for screen readers and the single tab stop. */
  name() {
    const { width, cells } = this.state;
    cells.forEach((tile, cell) => {
      const { element } = this.at(cell);
      const label = this.nameOf(tile, cell, width);
      if (element.ariaLabel !== label) element.ariaLabel = label;
      if (!this.onPick && tile === 0) element.role = 'img';
    });
    set(this.board, { 'aria-owns': cells.map((_, cell) => this.at(cell).element.id).join(' ') });
    if (this.onMove && !slideTo(this.state, this.current)) this.current = this.firstMovable();
    this.focusable(this.current);
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
    for (const { element } of this.pieces) if (element.tabIndex === 0) element.tabIndex = -1;
    this.current = Math.max(cell, 0);
    const { element } = this.at(this.current);
    if (element.tagName === 'BUTTON') element.tabIndex = 0;
  }

  describe() {
    const { width, height } = this.state;
    const what = this.onMove ? '. Arrow keys move a tile into the blank.' : this.onPick ? '. Arrow keys go from cell to cell; Enter takes a tile or puts it down.' : '';
    const cells = this.isPlain && width * height <= 36 ? `: ${this.state.cells.map((tile) => tile || 'blank').join(' ')}` : '';
    set(this.board, { 'aria-label': `${this.label}, ${width} by ${height}${cells}${what}` });
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

  /** Exchanges two tiles, which move along arcs. */
  swap(next, [a, b], ms) {
    const [from, to] = [a, b].map((tile) => this.byTile.get(tile).element);
    this.show(next, this.goal, { ms: 0, marks: { swap: [a, b] } });
    if (calmMotion()) return;
    const [first, second] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const arc = (element, dx, dy, bend) => element.animate([
      { translate: `${dx}px ${dy}px`, zIndex: 2 },
      { translate: `${dx / 2 + dy * bend}px ${dy / 2 - dx * bend}px`, zIndex: 2 },
      { translate: '0 0', zIndex: 2 },
    ], { duration: ms, easing: 'ease-in-out' });
    const [dx, dy] = [second.left - first.left, second.top - first.top];
    arc(from, dx, dy, 0.45);
    arc(to, -dx, -dy, 0.45);
  }
}
