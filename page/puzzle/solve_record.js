// Records of solves, and the form of Loyd's own files.
//
// A record of a solve has these fields. Only kind, date and ms are required in files.
//   kind       mode, sizes and goal, as in puzzle/kind.js: "4x4 blank-last"
//   date       milliseconds since 1970, UTC; 0 if unknown
//   ms         time in milliseconds; without the time of pauses, inspection and memorisation
//   length     number of moves of single tiles; null if unknown
//   moves      directions of the blank, u, d, l and r; "" if unknown
//   times      time of each move in milliseconds; [] if unknown
//   board      the scrambled board, "5 3 8/0 2 4/1 7 6"; "" if unknown
//   seed       seed of the scramble; "" if unknown
//   scramble   scramble of another program, as it was written
//   dnf        true if the solve does not count as finished
//   comment    at most 5,000 characters
//   optimal    length of a shortest solution, if it is known
//   memo       time of memorisation of a blindfold solve, in milliseconds
//   isPaused   true if the clock was stopped during the solve
//   splits     boards of a relay or marathon: [{board, moves, times, ms}]
// A JSON file is {"format": "loyd solves", "version": 1, "solves": [record, …]}.
// A CSV file has a header and the fields of COLUMNS, with commas, quoted where needed; times are separated by spaces,
// splits are JSON, and the date is in ISO 8601.
import { walk } from './board.js';
import { kindOf, parseKind } from './kind.js';
import { parseBoard } from './parse.js';

export const FORMAT = 'loyd solves';
export const VERSION = 1;
export const MOST_COMMENT = 5000;
const [MOST_MS, MOST_DATE, MOST_MOVES] = [1e9, 8.64e15, 100_000];

const requireThat = (isTrue, text) => {
  if (!isTrue) throw new Error(text);
};
const isWhole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;

/** Checks a board with its moves: {board, moves, times}. */
function checkReplay({ board: text, moves, times }) {
  requireThat(typeof moves === 'string' && /^[udlr]*$/.test(moves) && moves.length <= MOST_MOVES, 'The moves are not the letters u, d, l and r.');
  requireThat(typeof text === 'string', 'The board is not a text.');
  requireThat(Array.isArray(times) && times.every((time) => isWhole(time, MOST_MS)), 'The times of the moves are not whole numbers.');
  requireThat(times.length === 0 || times.length === moves.length, `There are ${times.length} times for ${moves.length} moves.`);
  const { board, faults } = text ? parseBoard(text) : {};
  requireThat(!faults, `The board is wrong: ${faults?.[0].text}`);
  requireThat(!moves || (board && walk(board, moves)), 'The moves do not fit the board.');
}

function checkSplits(splits) {
  requireThat(Array.isArray(splits), 'The splits are not a list.');
  return splits.map((split) => {
    requireThat(split && typeof split === 'object', 'A split is not an object.');
    const { board = '', moves = '', times = [], ms } = split;
    requireThat(isWhole(ms, MOST_MS), 'A split has no time in whole milliseconds.');
    checkReplay({ board, moves, times });
    return { board, moves, times, ms };
  });
}

/** Returns a record with all fields, without an id and without unknown fields. Throws an Error that describes the fault. */
export function checkedSolve(value) {
  requireThat(value && typeof value === 'object', 'This is not a solve.');
  const { kind, date, ms, moves = '', times = [], board = '', seed = '', scramble = '', dnf = false, comment = '', optimal = null, memo = null, isPaused = false, splits = null } = value;
  const { length = moves ? moves.length : null } = value;
  requireThat(typeof kind === 'string' && parseKind(kind), `“${String(kind).slice(0, 40)}” is not a kind of solve, such as “4x4 blank-last”.`);
  requireThat(isWhole(date, MOST_DATE), 'The date is not valid.');
  requireThat(isWhole(ms, MOST_MS), 'The time is not a whole number of milliseconds up to 1,000,000,000.');
  requireThat(length === null || isWhole(length, MOST_MOVES), 'The number of moves is not a whole number.');
  checkReplay({ board, moves, times });
  requireThat([seed, scramble, comment].every((text) => typeof text === 'string' && text.length <= MOST_COMMENT), `The seed, the scramble or the comment is not a text of at most ${MOST_COMMENT} characters.`);
  requireThat([optimal, memo].every((number) => number === null || isWhole(number, MOST_MS)), 'The shortest length or the time of memorisation is not a whole number.');
  requireThat(typeof dnf === 'boolean' && typeof isPaused === 'boolean', 'The marks of DNF and pauses are not true or false.');
  const record = { kind: kindOf(parseKind(kind)), date, ms, length, moves, times, board, seed, scramble, dnf, comment, isPaused };
  if (optimal !== null) record.optimal = optimal;
  if (memo !== null) record.memo = memo;
  if (splits !== null) record.splits = checkSplits(splits);
  return record;
}
