// Solvability: whether a board can reach a goal, and the pairs of tiles in the wrong order.
import { blankOf } from './board.js';
import { GOALS, goalOf, homesOf, isPartial, isSolved, solvedBoard } from './goals.js';

/**
 * Returns {solvable, pairs, blankRows, wide, mend}. `pairs` are the inversions [first, second] in reading order, by the
 goal cells of the tiles; `mend` are two tiles whose exchange makes the board solvable.
 */
export function explain(board, goal) {
  const unnamed = board.cells.filter((tile) => tile !== 0 && !goal.cells.includes(tile));
  const parity = against(board, isPartial(goal) ? solvedBoard(goal) : goal);
  // Exchanging two tiles that may lie anywhere changes the parity.
  if (unnamed.length > 1) return { ...parity, solvable: true, free: unnamed.length, mend: null };
  if (goal.cells.includes(0) || !isPartial(goal)) return parity;
  const blanks = goal.cells.flatMap((tile, cell) => (tile === null ? [cell] : []));
  const parities = blanks.map((blank) => against(board, withBlank(goal, blank, unnamed[0])));
  return parities.find(({ solvable }) => solvable) ?? parities[0];
}

/** Returns the named goals that the board can reach, as [name, label], if it cannot reach `goal`; none for partial goals. */
export function solvableGoals(board, goal) {
  if (isPartial(goal)) return [];
  return GOALS.filter(([name]) => {
    const other = goalOf(name, board);
    return other && !isPartial(other) && !isSolved(other, goal) && reaches(board, other);
  });
}

/** Returns whether a board can reach a goal. In a single line tiles never pass each other. */
function reaches(board, goal) {
  if (board.width > 1 && board.height > 1) return explain(board, goal).solvable;
  const order = ({ cells }) => cells.filter(Boolean).join(' ');
  return order(board) === order(goal);
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
