// A game: where it began, what was played since and when, and what was taken back.
import { walk } from './board.js';
import { isSolved } from './goals.js';

export class Game {
  constructor(start, goal) {
    Object.assign(this, { start, goal, board: start, done: [], when: [], undone: [] });
  }

  /** All moves so far. */
  get moves() {
    return this.done.join('');
  }

  /** When each of them was made, in milliseconds. */
  get times() {
    return this.done.flatMap((letters, place) => new Array(letters.length).fill(this.when[place]));
  }

  get isSolved() {
    return isSolved(this.board, this.goal);
  }

  /** Plays letters that were pushed at once, so many milliseconds after the first. */
  play(letters, ms = 0) {
    const next = walk(this.board, letters);
    if (!next) return false;
    this.done.push(letters);
    this.when.push(ms);
    this.undone = [];
    this.board = next;
    return true;
  }

  undo() {
    if (this.done.length === 0) return false;
    this.undone.push(this.done.pop());
    this.when.pop();
    this.board = walk(this.start, this.moves);
    return true;
  }

  redo(ms = 0) {
    if (this.undone.length === 0) return false;
    const letters = this.undone.pop();
    this.done.push(letters);
    this.when.push(ms);
    this.board = walk(this.board, letters);
    return true;
  }

  /** The tile that the last letter moved, and the letter; null at the start. */
  get last() {
    return lastMoved(this.start, this.moves);
  }
}

/** {tile, letter} of the last of some moves; null if there is none. */
export function lastMoved(start, moves) {
  if (!moves) return null;
  const before = walk(start, moves.slice(0, -1));
  const after = walk(before, moves.at(-1));
  return { tile: before.cells[after.cells.indexOf(0)], letter: moves.at(-1) };
}
