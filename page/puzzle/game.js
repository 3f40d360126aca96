// A game: its start, the moves played since then with their times, and the moves undone.
import { formatBoard, walk } from './board.js';
import { isSolved } from './goals.js';
import { parseBoard } from './parse.js';

export class Game {
  constructor(start, goal) {
    Object.assign(this, { start, goal, board: start, done: [], when: [], undone: [] });
  }

  /** Returns a record from which `Game.of` restores this game. */
  get record() {
    const { done, when, undone } = this;
    return { start: formatBoard(this.start), goal: formatBoard(this.goal), done, when, undone };
  }

  /** Restores a game from its record. Throws an Error if the record is damaged. */
  static of({ start, goal, done, when, undone }) {
    const game = new Game(parseBoard(start).board, parseBoard(goal, null, true).board);
    return Object.assign(game, { done, when, undone, board: walk(game.start, done.join('')) });
  }

  /** All moves so far. */
  get moves() {
    return this.done.join('');
  }

  /** Time of each move, in milliseconds. */
  get times() {
    return this.done.flatMap((letters, place) => new Array(letters.length).fill(this.when[place]));
  }

  get isSolved() {
    return isSolved(this.board, this.goal);
  }

  /** Plays moves that were made at once, `ms` milliseconds after the first move of the game. */
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

  /** Tile and letter of the last move; null at the start. */
  get last() {
    return lastMoved(this.start, this.moves);
  }
}

/** Returns {tile, letter} of the last move; null if there are no moves. */
export function lastMoved(start, moves) {
  if (!moves) return null;
  const before = walk(start, moves.slice(0, -1));
  const after = walk(before, moves.at(-1));
  return { tile: before.cells[after.cells.indexOf(0)], letter: moves.at(-1) };
}
