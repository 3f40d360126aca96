// Moves. They are stored as letters, the directions of the blank; readers see any of the notations.
import { blankOf, neighbour } from './board.js';

export const OPPOSITE = { u: 'd', d: 'u', l: 'r', r: 'l' };
const TILE_LETTER = { u: 'D', d: 'U', l: 'R', r: 'L' };
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
