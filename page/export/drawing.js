// Draws boards as the page shows them, with a pen: {box(x, y, width, height, radius, fill), text(text, x, y, size, weight,
// fill)}. Pens exist for a canvas (picture.js) and for SVG (animated_svg.js). Sizes are in pixels.
import { blankOf, neighbour } from '../puzzle/board.js';
import { homesOf } from '../puzzle/goals.js';

const GAP = 0.05;
const [RADIUS, FOOT] = [0.09, 0.065];
const TEXT = 0.38;
/** Distance from the middle of a digit to its base line, as a part of the text's size. */
const BASELINE = 0.36;

/** Returns the side of a tile with which a board is about `length` pixels wide or high, whichever is more. */
export const sideFor = ({ width, height }, length) => Math.max(24, Math.round(length / (Math.max(width, height) * (1 + GAP) + 3 * GAP)));

/**
 * Returns the layout of a board. `colours` has page, tray, away, awayInk, ink, and the lists rows and feet; `place(cell)`
 * returns [x, y] of a cell.
 */
export function layoutOf({ width, height }, goal, colours, side) {
  const gap = Math.max(1, Math.round(GAP * side));
  const length = (cells) => cells * side + (cells + 3) * gap;
  const place = (cell) => [cell % width, Math.floor(cell / width)].map((index) => 2 * gap + index * (side + gap));
  return { side, gap, columns: width, width: length(width), height: length(height), homes: homesOf(goal), colours, place };
}

/** Returns whether a tile is home on a cell. */
export const isHome = ({ homes }, tile, cell) => homes.get(tile) === cell;

/** Draws a tile at [x, y]: filled if it is home, otherwise with a foot in the colour of its row in the goal. */
export function drawTile(pen, layout, tile, home, [x, y]) {
  const { side, colours, homes, columns } = layout;
  const radius = RADIUS * side;
  const row = homes.has(tile) ? Math.floor(homes.get(tile) / columns) % colours.rows.length : null;
  if (home) pen.box(x, y, side, side, radius, colours.rows[row]);
  else {
    // Only the lower part of a foot is drawn, because its colour would shine through at the edges of the tile.
    if (row !== null) pen.box(x, y + side * (1 - 3 * FOOT), side, side * 3 * FOOT, radius, colours.feet[row]);
    pen.box(x, y, side, row === null ? side : side * (1 - FOOT), radius, colours.away);
  }
  const size = TEXT * side;
  pen.text(String(tile), x + side / 2, y + side / 2 + BASELINE * size, size, home ? 650 : 500, home ? colours.ink : colours.awayInk);
}

/** Draws the tray without tiles. */
export const drawTray = (pen, { width, height, side, colours }) => pen.box(0, 0, width, height, RADIUS * side, colours.tray);

export function drawBoard(pen, layout, board) {
  drawTray(pen, layout);
  board.cells.forEach((tile, cell) => { if (tile) drawTile(pen, layout, tile, isHome(layout, tile, cell), layout.place(cell)); });
}

/** Returns the moves as slides of tiles: [{tile, from, to}], where `from` and `to` are cells. */
export function slidesOf(board, moves) {
  const cells = board.cells.slice();
  let to = blankOf(board);
  return [...moves].map((letter) => {
    const from = neighbour(board, to, letter);
    const slide = { tile: cells[from], from, to };
    [cells[to], cells[from]] = [cells[from], 0];
    to = from;
    return slide;
  });
}
