// Whether a board can reach a goal, and why not: the pairs of tiles that stand in the wrong order.
import { blankOf } from './board.js';
import { homesOf, isPartial, solvedBoard } from './goals.js';

/**
 * {solvable, pairs, blankRows, wide, mend}: `pairs` are inversions [first, second] in reading order, counted by where
 * tiles belong; `mend` are two tiles whose exchange makes the board solvable.
 */
export function explain(board, goal) {
  const unnamed = board.cells.filter((tile) => tile !== 0 && !goal.cells.includes(tile));
  const told = against(board, isPartial(goal) ? solvedBoard(goal) : goal);
  // Two tiles that may lie anywhere can trade places, which makes even of odd.
  if (unnamed.length > 1) return { ...told, solvable: true, free: unnamed.length, mend: null };
  if (goal.cells.includes(0) || !isPartial(goal)) return told;
  const blanks = goal.cells.flatMap((tile, cell) => (tile === null ? [cell] : []));
  const ways = blanks.map((blank) => against(board, withBlank(goal, blank, unnamed[0])));
  return ways.find((way) => way.solvable) ?? ways[0];
}

const withBlank = (goal, blank, rest) =>
  ({ ...goal, cells: goal.cells.map((tile, cell) => (tile === null ? (cell === blank ? 0 : rest) : tile)) });

function against(board, goal) {
  const homes = homesOf(goal);
  const tiles = board.cells.filter((tile) => tile !== 0);
  const pairs = [];
  tiles.forEach((first, place) => {
    for (const second of tiles.slice(place + 1)) {
      if (homes.get(first) > homes.get(second)) pairs.push([first, second]);
    }
  });
  const row = (cell) => Math.floor(cell / board.width);
  const blankRows = Math.abs(row(blankOf(board)) - row(blankOf(goal)));
  const wide = board.width % 2 === 0;
  const solvable = (pairs.length + (wide ? blankRows : 0)) % 2 === 0;
  return { solvable, pairs, blankRows, wide, mend: solvable ? null : mendOf(tiles, homes) };
}

function mendOf(tiles, homes) {
  for (let place = tiles.length - 2; place >= 0; place -= 1) {
    if (homes.get(tiles[place]) > homes.get(tiles[place + 1])) return [tiles[place], tiles[place + 1]];
  }
  return tiles.slice(-2);
}
