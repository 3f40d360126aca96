// Moves. They are stored as letters, the directions of the blank; readers see any of the notations.
import { blankOf, neighbour, slideTo, walk } from './board.js';

export const OPPOSITE = { u: 'd', d: 'u', l: 'r', r: 'l' };
const TILE_LETTER = { u: 'D', d: 'U', l: 'R', r: 'L' };
const BLANK_LETTER = { U: 'd', D: 'u', L: 'r', R: 'l' };
const WORDS = { u: 'up', d: 'down', l: 'left', r: 'right' };

export const NOTATIONS = [
  ['tile', 'Tile letters'], ['blank', 'Blank letters'], ['numbers', 'Tile numbers'], ['coordinates', 'Coordinates'],
];

/** Returns the direction of the tile, as a word, when the blank moves by this letter. */
export const tileWord = (letter) => WORDS[OPPOSITE[letter]];
export const blankWord = (letter) => WORDS[letter];

/** Returns capitals: the direction of each tile. */
export const toTileLetters = (moves) => [...moves].map((letter) => TILE_LETTER[letter]).join('');

export const inverse = (moves) => [...moves].reverse().map((letter) => OPPOSITE[letter]).join('');

/** Returns the runs of equal letters: [{letter, count, from}], where `from` is the number of preceding moves. */
export function runsOf(moves) {
  const runs = [];
  [...moves].forEach((letter, from) => {
    const last = runs.at(-1);
    if (last?.letter === letter) last.count += 1;
    else runs.push({ letter, count: 1, from });
  });
  return runs;
}

/** Returns the number of moves in a metric: single tiles (stm) or slides (mtm). */
export const lengthIn = (metric, moves) => (metric === 'mtm' ? runsOf(moves).length : moves.length);

/** Returns the texts of the chips, one per move or one per run: [{text, count, from, letter}]. */
export function chipsOf(board, moves, notation, withRuns = true) {
  const parts = withRuns ? runsOf(moves) : [...moves].map((letter, from) => ({ letter, count: 1, from }));
  let blank = blankOf(board);
  const cells = board.cells.slice();
  return parts.map((part) => {
    let next = blank;
    for (let step = 0; step < part.count; step += 1) {
      next = neighbour(board, blank, part.letter);
      [cells[blank], cells[next]] = [cells[next], 0];
      blank = next;
    }
    // In a run, numbers and coordinates name the farthest tile, which pushes the others.
    const pushed = cells[neighbour(board, blank, OPPOSITE[part.letter])];
    return { ...part, ...wordOf(part, notation, pushed, next, board.width) };
  });
}

function wordOf({ letter, count }, notation, tile, cell, width) {
  if (notation === 'numbers') return { text: String(tile), shown: 1 };
  if (notation === 'coordinates') return { text: `${Math.floor(cell / width) + 1},${(cell % width) + 1}`, shown: 1 };
  return { text: notation === 'blank' ? letter : TILE_LETTER[letter], shown: count };
}

/** Formats moves as a line of text. */
export function writeMoves(board, moves, notation, withRuns) {
  const letters = notation === 'tile' || notation === 'blank';
  const words = chipsOf(board, moves, notation, withRuns);
  return words.map(({ text, shown }) => text + (shown > 1 ? shown : '')).join(letters ? '' : ' ');
}

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
