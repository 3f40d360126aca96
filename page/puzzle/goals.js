// Goals. A goal is {width, height, cells} like a board, with null for cells that accept any tile.
import { parseBoard } from './parse.js';

/** Named goals with their labels. */
export const GOALS = [
  ['blank-last', 'Blank last'], ['blank-first', 'Blank first'], ['blank-top-right', 'Blank top right'],
  ['blank-bottom-left', 'Blank bottom left'], ['columns', 'Down the columns'], ['snake', 'Snake'], ['spiral', 'Spiral'],
  ['first-row', 'First row only'], ['first-row-column', 'First row and column'],
];
const ORDERS = { snake, spiral, columns };

function readingOrder({ width, height }) {
  return Array.from({ length: width * height }, (_, cell) => cell);
}

function columns({ width, height }) {
  return readingOrder({ width, height }).map((place) => (place % height) * width + Math.floor(place / height));
}

function snake({ width, height }) {
  const order = readingOrder({ width, height });
  return order.map((cell) => {
    const row = Math.floor(cell / width);
    return row % 2 ? row * width + width - 1 - (cell % width) : cell;
  });
}

function spiral({ width, height }) {
  const order = [];
  let [left, top, right, bottom] = [0, 0, width - 1, height - 1];
  while (left <= right && top <= bottom) {
    for (let x = left; x <= right; x += 1) order.push(top * width + x);
    for (let y = top + 1; y <= bottom; y += 1) order.push(y * width + right);
    for (let x = right - 1; x >= left && bottom > top; x -= 1) order.push(bottom * width + x);
    for (let y = bottom - 1; y > top && right > left; y -= 1) order.push(y * width + left);
    [left, top, right, bottom] = [left + 1, top + 1, right - 1, bottom - 1];
  }
  return order;
}

const BLANK_AT = {
  'blank-first': () => 0,
  'blank-top-right': ({ width }) => width - 1,
  'blank-bottom-left': ({ width, height }) => width * (height - 1),
};

/** Returns the goal with a name, or that of a text with `*`; null if it does not fit the size. */
export function goalOf(name, size) {
  const { width, height } = size;
  const count = width * height;
  if (name?.startsWith('first-row')) return partial(size, name === 'first-row-column');
  if (name && !GOALS.some(([known]) => known === name)) {
    const { board } = parseBoard(name, size, true);
    return board && board.width === width && board.height === height ? board : null;
  }
  const order = (ORDERS[name] ?? readingOrder)(size);
  const blank = BLANK_AT[name]?.(size) ?? order[count - 1];
  const cells = new Array(count).fill(0);
  order.filter((cell) => cell !== blank).forEach((cell, place) => { cells[cell] = place + 1; });
  return { width, height, cells };
}

function partial({ width, height }, withColumn) {
  const isRequired = (cell) => cell < width || (withColumn && cell % width === 0);
  return { width, height, cells: readingOrder({ width, height }).map((cell) => (isRequired(cell) ? cell + 1 : null)) };
}

/** Returns a Map from each tile to its goal cell. */
export function homesOf(goal) {
  const homes = new Map();
  goal.cells.forEach((tile, cell) => { if (tile !== null) homes.set(tile, cell); });
  return homes;
}

export const isSolved = (board, goal) => goal.cells.every((tile, cell) => tile === null || tile === board.cells[cell]);

export const isPartial = (goal) => goal.cells.includes(null);

/** Returns a board that meets the goal; the other tiles are in order, with the blank last. */
export function solvedBoard(goal) {
  const named = new Set(goal.cells);
  const count = goal.cells.length;
  const free = readingOrder(goal).map((cell) => (cell + 1) % count).filter((tile) => !named.has(tile));
  return { ...goal, cells: goal.cells.map((tile) => tile ?? free.shift()) };
}
