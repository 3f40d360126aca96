// Heuristics that add up a number for each tile. One of the reader's own has it for each cell of a tile and each goal cell.

/** Manhattan distance, doubled: an overestimate, which leads a search astray. */
export function doubledManhattan({ width, height }) {
  const cells = Array.from({ length: width * height }, (_, cell) => [cell % width, Math.floor(cell / width)]);
  return cells.map(([x, y]) => cells.map(([u, v]) => 2 * (Math.abs(x - u) + Math.abs(y - v))).join(' ')).join('\n');
}

/** How far the tiles are from home, added up. */
export function manhattan({ width, cells }, goal) {
  const away = (cell, home) => Math.abs((cell % width) - (home % width)) + Math.abs(Math.floor(cell / width) - Math.floor(home / width));
  return cells.reduce((sum, tile, cell) => sum + (tile ? away(cell, goal.cells.indexOf(tile)) : 0), 0);
}
