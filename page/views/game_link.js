// Reads the part of a link that describes a game.
import { formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { parseBoard } from '../puzzle/parse.js';

const SEED = /^\d{0,20}$/;
const LENGTH = /^\d{0,4}$/;
const LETTERS = /^[udlr]*$/;

/**
 * Returns {board, setup}: the board of the link, or null if it is to be drawn, and {size, goalText, seed, length,
 * isGiven}. Throws an Error that describes what is wrong with the link.
 */
export async function readGameLink(params, engine, options) {
  const { board: text, size: sizeGiven = '', goal: goalText = '', seed = '', length = '', moves = '' } = params;
  if (sizeGiven && !parseSize(sizeGiven)) throw new Error(`“${sizeGiven}” is not a size. Write 4x4; sides have 2 to 16 cells.`);
  // JavaScript rounds larger numbers.
  if (!SEED.test(seed) || Number(seed) > Number.MAX_SAFE_INTEGER) throw new Error(`“${seed}” is not a seed. A seed is a whole number of at most 9,007,199,254,740,991.`);
  if (!LENGTH.test(length)) throw new Error(`“${length}” is not a number of moves from the goal.`);
  if (!LETTERS.test(moves)) throw new Error('The moves in this link have letters other than u, d, l and r.');
  const board = text ? await boardOf(text, parseSize(sizeGiven), engine, options) : null;
  const size = board ? { width: board.width, height: board.height } : parseSize(sizeGiven) ?? { width: 4, height: 4 };
  if (!goalOf(goalText, size)) throw new Error(`“${goalText}” is not a goal for ${sizeText(size)}.`);
  return { board, setup: { size, goalText, seed, length, isGiven: Boolean(board) } };
}

/** Returns the request that draws the board of a setup. */
export function scrambleRequest({ size, goalText, seed, length }) {
  const goal = goalText && { goal: formatBoard(goalOf(goalText, size)) };
  return { size: sizeText(size), seed: Number(seed) || 0, ...goal, ...(length && { length: Number(length) }) };
}

/** Reads a board. Common forms are parsed at once, so that the board is there before the first key; others need the reader. */
async function boardOf(text, size, engine, options) {
  const { board } = parseBoard(text, size);
  return board ?? (await (await import('../engine/read.js')).readBoard(engine, text, size, options)).board;
}
