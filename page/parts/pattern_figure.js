// A pattern database under construction, and its estimate for a board.
import { homesOf } from '../puzzle/goals.js';
import { MOST_PATTERN_TILES, PatternTable } from '../puzzle/pattern.js';
import { manhattan } from '../puzzle/matrix.js';
import { barTable } from './chart.js';
import { calmMotion, fill, h } from './dom.js';
import { plural } from './numbers.js';

const LAYER_MS = 90;
const TINTS = 5;

export class PatternFigure {
  /** `onchange()` is called when other tiles are chosen and when the table is complete. */
  constructor(goal, tiles, onchange) {
    Object.assign(this, { goal, onchange, all: goal.cells.filter(Boolean), distance: null });
    this.tiles = this.all.filter((tile) => tiles.includes(tile)).slice(0, MOST_PATTERN_TILES);
    this.choice = h('div', { class: 'spare-tiles' });
    this.table = h('div', { class: 'stack' });
    this.answer = h('div', { class: 'stack' });
    this.element = h('div', { class: 'stack' }, h('p', { class: 'small muted' }, `Tap up to ${MOST_PATTERN_TILES} tiles to paint them.`), this.choice, this.answer, this.table);
    this.drawChoice();
    this.empty();
  }

  get others() {
    return this.all.filter((tile) => !this.tiles.includes(tile));
  }

  drawChoice() {
    const homes = homesOf(this.goal);
    fill(this.choice, this.all.map((tile) => {
      const isIn = this.tiles.includes(tile);
      const tint = (Math.floor(homes.get(tile) / this.goal.width) % TINTS) + 1;
      return h('button', { type: 'button', class: `tile r${tint} ${isIn ? 'home' : 'grey'}`, 'aria-pressed': String(isIn), 'aria-label': `Tile ${tile}`, onclick: () => this.toggle(tile) }, tile);
    }));
  }

  toggle(tile) {
    const tiles = this.tiles.includes(tile) ? this.tiles.filter((one) => one !== tile) : [...this.tiles, tile];
    if (tiles.length === 0 || tiles.length > MOST_PATTERN_TILES) return;
    this.tiles = tiles.sort((a, b) => a - b);
    this.stop();
    this.drawChoice();
    this.empty();
    this.onchange();
  }

  empty() {
    this.pattern = null;
    fill(this.table, h('p', { class: 'small muted' }, 'No table yet. It is built backwards from the goal, move by move.'));
    fill(this.answer);
  }

  /** Builds the table layer by layer, so that its growth is visible. */
  make() {
    this.stop();
    this.pattern = new PatternTable(this.goal, this.tiles);
    this.timer = setInterval(() => this.grow(), calmMotion() ? 0 : LAYER_MS);
    this.grow();
  }

  grow() {
    this.pattern.grow();
    const rows = this.pattern.layers.flatMap((number, moves) => (number ? [[plural(moves, 'move'), number]] : []));
    fill(this.table, barTable('Patterns in the table, by number of moves', rows, { isLog: false, heads: ['Moves', 'Patterns'] }));
    if (!this.pattern.isWhole) return;
    this.stop();
    const rest = this.others.length;
    this.second = rest && rest <= MOST_PATTERN_TILES ? whole(new PatternTable(this.goal, this.others)) : null;
    this.showEstimates();
    this.onchange();
  }

  stop() {
    clearInterval(this.timer);
  }

  /** Shows another board, with its true distance if that is known. */
  show(board, distance = null) {
    Object.assign(this, { board, distance });
    this.showEstimates();
  }

  showEstimates() {
    if (!this.pattern?.isWhole) return;
    const { pattern, second, board, goal } = this;
    const painted = pattern.lookUp(board);
    const rows = [['Manhattan', manhattan(board, goal)], ['Painted tiles', painted]];
    if (second) rows.push(['Plus a table of the others', painted + second.lookUp(board)]);
    if (this.distance !== null) rows.push(['True distance', this.distance]);
    fill(this.answer, h('p', { class: 'figure' }, h('b', {}, painted), painted === 1 ? ' move' : ' moves'),
      h('p', { class: 'small muted' }, `is the estimate for this board: one lookup in a table of ${plural(pattern.size, 'pattern')}.`),
      barTable('Estimated moves to go', rows, { isLog: false, series: 1, heads: ['Estimate', 'Moves'] }),
      second || !this.others.length ? null : h('p', { class: 'small muted' }, `There are ${this.others.length} others, too many for a second table here. Paint more.`));
  }
}

function whole(table) {
  while (!table.isWhole) table.grow();
  return table;
}
