// Parses boards in the common forms. Faults have the cells that are wrong, so that the board can show them.
import { LARGEST, SMALLEST } from './board.js';

const BLANKS = new Set(['x', 'X', '0', '_', '.', '·', '-']);

/**
 * Parses a board: {board} or {faults: [{text, cells, from, to}], rough}. `rough` has the cells that could be read, with
 null for the others. `goal` allows `*` and missing tiles.
 */
export function parseBoard(text, size = null, goal = false) {
  const rows = rowsOf(text);
  const tokens = rows.flat();
  if (tokens.length === 0 || (!goal && !/\d/.test(text))) return { faults: [{ text: 'There are no tiles here.', cells: [] }], rough: null };
  const shape = shapeOf(rows, size);
  if (shape.fault) return { faults: [{ text: shape.fault, cells: [] }], rough: null };
  const faults = [];
  const cells = tokens.map((token, cell) => tileOf(token, cell, tokens.length, goal, faults));
  const rough = { width: shape.width, height: shape.height, cells };
  if (faults.length === 0 || !goal) faults.push(...faultsOf(cells, goal));
  return faults.length ? { faults, rough } : { board: rough };
}

function rowsOf(text) {
  const compact = /^\s*[0-9xX_.·]{4,10}\s*$/.test(text) || /^\s*[0-9xX_.·]{2,5}(\/[0-9xX_.·]{2,5})+\s*$/.test(text);
  const word = compact ? /[0-9xX_.·]/g : /[^\s,;|[\](){}/│┌┐└┘─├┤┬┴┼]+/g;
  const lines = text.replace(/\]\s*,\s*\[/g, '/').split(/[/\n]/);
  const offsets = [];
  let offset = 0;
  for (const line of lines) {
    const found = [...line.matchAll(word)].map((match) => ({ text: match[0], from: offset + match.index }));
    if (found.length) offsets.push(found);
    offset += line.length + 1;
  }
  return offsets;
}

function shapeOf(rows, size) {
  const count = rows.flat().length;
  if (rows.length > 1) {
    const [width, height] = [rows[0].length, rows.length];
    const odd = rows.findIndex((row) => row.length !== width);
    if (odd >= 0) return { fault: `Row ${odd + 1} has ${cellsWord(rows[odd].length)}; row 1 has ${width}.` };
    return within({ width, height });
  }
  if (size && size.width * size.height === count) return within(size);
  const side = Math.round(Math.sqrt(count));
  if (side * side === count) return within({ width: side, height: side });
  return { fault: `${cellsWord(count)} ${count === 1 ? 'does' : 'do'} not make a square. Separate the rows with / or choose a size.` };
}

const cellsWord = (count) => `${count} ${count === 1 ? 'cell' : 'cells'}`;

function within(shape) {
  const fits = (length) => length >= SMALLEST && length <= LARGEST;
  if (fits(shape.width) && fits(shape.height)) return shape;
  return { fault: `A board of ${shape.width} × ${shape.height} is not supported here: sides have ${SMALLEST} to ${LARGEST} cells.` };
}

function tileOf({ text, from }, cell, count, goal, faults) {
  if (BLANKS.has(text)) return 0;
  if (goal && text === '*') return null;
  const tile = /^\d+$/.test(text) ? Number(text) : NaN;
  if (tile < count) return tile;
  const what = Number.isNaN(tile) ? `“${text}” is not a tile` : `Tile ${text} is too large`;
  faults.push({ text: `${what} (cell ${cell + 1}). Tiles are 1 to ${count - 1}, the blank is x or 0.`, cells: [cell], from, to: from + text.length });
  return null;
}

function faultsOf(cells, goal) {
  const places = new Map();
  cells.forEach((tile, cell) => {
    if (tile !== null) places.set(tile, [...(places.get(tile) ?? []), cell]);
  });
  const name = (tile) => (tile === 0 ? 'The blank' : `Tile ${tile}`);
  const twice = [...places].filter(([, found]) => found.length > 1).map(([tile, found]) => ({
    text: `${name(tile)} appears ${found.length === 2 ? 'twice' : `${found.length} times`} (cells ${listed(found.map((cell) => cell + 1))}).`,
    cells: found,
  }));
  const missing = cells.map((_, tile) => tile).filter((tile) => !places.has(tile));
  if (goal || missing.length === 0) return twice;
  return [...twice, { text: missingText(missing), cells: [], missing }];
}

function missingText(missing) {
  const tiles = missing.filter(Boolean);
  if (tiles.length === 0) return 'The blank is missing.';
  const names = tiles.length > 8 ? `${tiles.length} tiles are` : `${tiles.length > 1 ? 'Tiles' : 'Tile'} ${listed(tiles)} ${tiles.length > 1 ? 'are' : 'is'}`;
  return missing.includes(0) ? `${names} missing, and the blank.` : `${names} missing.`;
}

const listed = (items) => (items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`);
