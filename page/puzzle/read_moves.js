// Reads moves in any notation.
import { slideTo, walk } from './board.js';

const BLANK_LETTER = { U: 'd', D: 'u', L: 'r', R: 'l' };

/** Parses moves in any notation. Throws an Error that names the first impossible move. */
export function parseMoves(board, text) {
  const trimmed = text.trim();
  if (/^[udlr\d\s]*[udlr][udlr\d\s]*$/.test(trimmed)) return checked(board, letters(trimmed, (letter) => letter));
  if (/^[UDLR\d\s]*[UDLR][UDLR\d\s]*$/.test(trimmed)) return checked(board, letters(trimmed, (l) => BLANK_LETTER[l]));
  if (/^[\d\s,]*$/.test(trimmed)) return tilesInTurn(board, trimmed.split(/\s+/).filter(Boolean));
  throw new Error(`“${trimmed.slice(0, 20)}” is not a list of moves: write directions (DR2), tiles (4 3 2) or cells (1,3 1,2).`);
}

function letters(text, read) {
  const found = text.replace(/\s+/g, '').matchAll(/([udlrUDLR])(\d*)/g);
  let moves = '';
  for (const [, letter, count] of found) {
    const times = Number(count || 1);
    if (moves.length + times > 100_000) throw new Error('There are more than 100,000 moves.');
    moves += read(letter).repeat(times);
  }
  return moves;
}

function checked(board, moves) {
  if (walk(board, moves)) return moves;
  let fine = 0;
  while (walk(board, moves.slice(0, fine + 1))) fine += 1;
  throw new Error(`Move ${fine + 1} is impossible: the blank is at the edge.`);
}

function tilesInTurn(board, words) {
  let at = board;
  let moves = '';
  words.forEach((word, number) => {
    const [row, column] = word.split(',').map(Number);
    const cell = word.includes(',') ? (row - 1) * board.width + column - 1 : at.cells.indexOf(row);
    const run = cell < 0 || cell >= at.cells.length ? '' : slideTo(at, cell);
    if (!run) throw new Error(`Move ${number + 1} is impossible: ${word} is not in line with the blank.`);
    moves += run;
    at = walk(at, run);
  });
  return moves;
}
