// Boards. A board is {width, height, cells}: tiles in reading order, 0 for the blank. Boards are never changed in
// place.

export const SMALLEST = 2;
export const LARGEST = 16;

/** Returns the cell of the blank. */
export const blankOf = (board) => board.cells.indexOf(0);

export const sizeText = ({ width, height }) => `${width}x${height}`;

/** Parses `4x4` (width, height); returns null if that fails. */
export function parseSize(text) {
  const match = /^(\d+)\s*[x×]\s*(\d+)$/.exec(text ?? '');
  const size = match && { width: Number(match[1]), height: Number(match[2]) };
  const fits = (length) => length >= SMALLEST && length <= LARGEST;
  return size && fits(size.width) && fits(size.height) ? size : null;
}

/** Formats a board as `2 3 4/1 5 0/7 6 8`; null is written as `*`. */
export function formatBoard({ width, cells }) {
  const rows = [];
  for (let from = 0; from < cells.length; from += width) {
    rows.push(cells.slice(from, from + width).map((tile) => tile ?? '*').join(' '));
  }
  return rows.join('/');
}

const STEPS = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

/** Returns the cell to which a letter moves the blank from `cell`, or -1. */
export function neighbour({ width, height }, cell, letter) {
  const [right, down] = STEPS[letter];
  const x = (cell % width) + right;
  const y = Math.floor(cell / width) + down;
  return x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x;
}

/** Returns the board after the blank has made the moves, or null if one of them is impossible. */
export function walk(board, letters) {
  const cells = board.cells.slice();
  let blank = blankOf(board);
  for (const letter of letters) {
    const next = neighbour(board, blank, letter);
    if (next < 0) return null;
    cells[blank] = cells[next];
    cells[next] = 0;
    blank = next;
  }
  return { ...board, cells };
}

/** Returns the moves of the blank to a cell in its row or column, which slide all tiles in between; '' for other cells. */
export function slideTo(board, cell) {
  const blank = blankOf(board);
  const across = (cell % board.width) - (blank % board.width);
  const down = Math.floor(cell / board.width) - Math.floor(blank / board.width);
  if ((across === 0) === (down === 0)) return '';
  const letter = down ? (down < 0 ? 'u' : 'd') : across < 0 ? 'l' : 'r';
  return letter.repeat(Math.abs(across || down));
}

/** Returns the board with two tiles exchanged. */
export function exchange(board, a, b) {
  const swapped = (tile) => (tile === a ? b : tile === b ? a : tile);
  return { ...board, cells: board.cells.map(swapped) };
}
