// Moves. They are kept as letters that say where the blank goes; what readers see is any of the notations.
import { blankOf, neighbour, slideTo, walk } from './board.js';

export const OPPOSITE = { u: 'd', d: 'u', l: 'r', r: 'l' };
const TILE_LETTER = { u: 'D', d: 'U', l: 'R', r: 'L' };
const BLANK_LETTER = { U: 'd', D: 'u', L: 'r', R: 'l' };
const WORDS = { u: 'up', d: 'down', l: 'left', r: 'right' };

export const NOTATIONS = [
  ['tile', 'Tile letters'], ['blank', 'Blank letters'], ['numbers', 'Tile numbers'], ['coordinates', 'Coordinates'],
];

/** Where the tile goes when the blank goes by this letter, in a word. */
export const tileWord = (letter) => WORDS[OPPOSITE[letter]];
export const blankWord = (letter) => WORDS[letter];

/** Letters in capitals: where each tile goes. */
export const toTileLetters = (moves) => [...moves].map((letter) => TILE_LETTER[letter]).join('');

export const inverse = (moves) => [...moves].reverse().map((letter) => OPPOSITE[letter]).join('');

/** The runs of equal letters: [{letter, count, from}], from being the number of moves before. */
export function runsOf(moves) {
  const runs = [];
  [...moves].forEach((letter, from) => {
    const last = runs.at(-1);
    if (last?.letter === letter) last.count += 1;
    else runs.push({ letter, count: 1, from });
  });
  return runs;
}

/** The number of moves in a metric: single tiles (stm) or slides (mtm). */
export const lengthIn = (metric, moves) => (metric === 'mtm' ? runsOf(moves).length : moves.length);

/** What stands on the chips: [{text, count, from, letter}], one for a move or one for a run. */
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

/** The moves as a line of text. */
export function writeMoves(board, moves, notation, withRuns) {
  const letters = notation === 'tile' || notation === 'blank';
  const words = chipsOf(board, moves, notation, withRuns);
  return words.map(({ text, shown }) => text + (shown > 1 ? shown : '')).join(letters ? '' : ' ');
}

/** Reads moves in any notation. Throws an Error that says which move cannot be made. */
export function parseMoves(board, text) {
  const trimmed = text.trim();
  if (/^[udlr\d\s]*[udlr][udlr\d\s]*$/.test(trimmed)) return checked(board, letters(trimmed, (letter) => letter));
  if (/^[UDLR\d\s]*[UDLR][UDLR\d\s]*$/.test(trimmed)) return checked(board, letters(trimmed, (l) => BLANK_LETTER[l]));
  if (/^[\d\s,]*$/.test(trimmed)) return tilesInTurn(board, trimmed.split(/\s+/).filter(Boolean));
  throw new Error(`“${trimmed.slice(0, 20)}” is no list of moves: write directions (DR2), tiles (4 3 2) or cells (1,3 1,2).`);
}

function letters(text, read) {
  const found = text.replace(/\s+/g, '').matchAll(/([udlrUDLR])(\d*)/g);
  let moves = '';
  for (const [, letter, count] of found) {
    const times = Number(count || 1);
    if (moves.length + times > 100_000) throw new Error('These are more than 100,000 moves.');
    moves += read(letter).repeat(times);
  }
  return moves;
}

function checked(board, moves) {
  if (walk(board, moves)) return moves;
  let fine = 0;
  while (walk(board, moves.slice(0, fine + 1))) fine += 1;
  throw new Error(`Move ${fine + 1} cannot be made: the blank is at the edge.`);
}

function tilesInTurn(board, words) {
  let at = board;
  let moves = '';
  words.forEach((word, number) => {
    const [row, column] = word.split(',').map(Number);
    const cell = word.includes(',') ? (row - 1) * board.width + column - 1 : at.cells.indexOf(row);
    const way = cell < 0 || cell >= at.cells.length ? '' : slideTo(at, cell);
    if (!way) throw new Error(`Move ${number + 1} cannot be made: ${word} is not in line with the blank.`);
    moves += way;
    at = walk(at, way);
  });
  return moves;
}
