// Boards as small pictures: as many as fit in two rows, then the number of the others.
import { homesOf } from '../puzzle/goals.js';
import { h } from './dom.js';
import { count } from './numbers.js';

const ROWS = 2;
/** Side of a cell in the units of the picture. */
const CELL = 16;
const TINTS = 5;

/** Creates a line of pictures of boards {width, height, cells} that follows the width of its container. */
export function smallBoards(boards, goal, label) {
  const homes = homesOf(goal);
  const pictures = h('div', { class: 'small-boards', role: 'img' });
  const more = h('p', { class: 'small muted' });
  const element = h('div', { class: 'stack' }, pictures, more);
  let shown = 0;
  const draw = () => {
    const fitting = Math.min(boards.length, ROWS * columnsOf(pictures));
    if (fitting === shown) return;
    shown = fitting;
    pictures.replaceChildren(...boards.slice(0, shown).map((board) => picture(board, homes)));
    pictures.ariaLabel = `${label}: ${shown === boards.length ? '' : `the first ${count(shown)} of `}${count(boards.length)}`;
    more.textContent = shown < boards.length ? `and ${count(boards.length - shown)} more` : '';
    more.hidden = shown === boards.length;
  };
  new ResizeObserver(draw).observe(pictures);
  return element;
}

/** Returns the number of columns that the style sheet makes of the width; at least one. */
const columnsOf = (element) => Math.max(1, getComputedStyle(element).gridTemplateColumns.split(' ').length);

function picture({ width, height, cells }, homes) {
  const cell = (tile, place) => {
    if (tile === 0) return null;
    const [x, y] = [(place % width) * CELL, Math.floor(place / width) * CELL];
    const tint = homes.get(tile) === place ? `row-${(Math.floor(place / width) % TINTS) + 1}` : null;
    return [h('rect', { class: tint, x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2 }), h('text', { x: x + CELL / 2, y: y + CELL * 0.74 }, tile)];
  };
  return h('svg', { viewBox: `0 0 ${width * CELL} ${height * CELL}`, 'aria-hidden': 'true' }, cells.flatMap(cell));
}
