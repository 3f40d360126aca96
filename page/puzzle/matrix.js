// A heuristic of the reader's own: a number for each cell of a tile and each goal cell, added up over the tiles.

/** Manhattan distance, doubled: an overestimate, which leads a search astray. */
export function doubledManhattan({ width, height }) {
  const cells = Array.from({ length: width * height }, (_, cell) => [cell % width, Math.floor(cell / width)]);
  return cells.map(([x, y]) => cells.map(([u, v]) => 2 * (Math.abs(x - u) + Math.abs(y - v))).join(' ')).join('\n');
}
