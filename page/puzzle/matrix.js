// Heuristics that add up a number for each tile. A reader's own heuristic is a matrix of cells of a tile x goal cells.

/** Returns the matrix of twice the Manhattan distance: an overestimate, which misleads a search. */
export function doubledManhattan({ width, height }) {
  const cells = Array.from({ length: width * height }, (_, cell) => [cell % width, Math.floor(cell / width)]);
  return cells.map(([x, y]) => cells.map(([u, v]) => 2 * (Math.abs(x - u) + Math.abs(y - v))).join(' ')).join('\n');
}

/** Returns the Manhattan distance. */
export function manhattan({ width, cells }, goal) {
  const away = (cell, home) => Math.abs((cell % width) - (home % width)) + Math.abs(Math.floor(cell / width) - Math.floor(home / width));
  return cells.reduce((sum, tile, cell) => sum + (tile ? away(cell, goal.cells.indexOf(tile)) : 0), 0);
}
