// A game: its start, the moves played since then with their times, and the moves undone. `moves` are all moves so far.
import { blankOf, formatBoard, neighbour, walk } from './board.js';
import { isSolved } from './goals.js';
import { OPPOSITE, inverse } from './moves.js';
import { parseBoard } from './parse.js';

export class Game {
  constructor(start, goal) {
    Object.assign(this, { start, goal, board: start, done: [], when: [], undone: [], moves: '' });
  }

  /** Returns a record from which `Game.of` restores this game. */
  get record() {
    const { done, when, undone } = this;
    return { start: formatBoard(this.start), goal: formatBoard(this.goal), done, when, undone };
  }

  /** Restores a game from its record. Throws an Error if the record is damaged. */
  static of({ start, goal, done, when, undone }) {
    const game = new Game(parseBoard(start).board, parseBoard(goal, null, true).board);
    const moves = done.join('');
    return Object.assign(game, { done, when, undone, moves, board: walk(game.start, moves) });
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
    this.moves += letters;
    this.board = next;
    return true;
  }

  undo() {
    if (this.done.length === 0) return false;
    const letters = this.done.pop();
    this.undone.push(letters);
    this.when.pop();
    this.moves = this.moves.slice(0, -letters.length);
    this.board = walk(this.board, inverse(letters));
    return true;
  }

  redo(ms = 0) {
    if (this.undone.length === 0) return false;
    const letters = this.undone.pop();
    this.done.push(letters);
    this.when.push(ms);
    this.moves += letters;
    this.board = walk(this.board, letters);
    return true;
  }

  /** Tile and letter of the last move; null at the start. */
  get last() {
    return lastMoved(this.board, this.moves.at(-1));
  }
}

/** Returns {tile, letter} of the last move, which led to `board`; null if there was none. */
export function lastMoved(board, letter) {
  // The tile is where the blank was before the move.
  return letter ? { tile: board.cells[neighbour(board, blankOf(board), OPPOSITE[letter])], letter } : null;
}
