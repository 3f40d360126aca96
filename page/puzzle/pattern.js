// Pattern database of a small board: the number of moves that the tiles of a pattern need, wherever the others are.
import { blankOf, neighbour } from './board.js';

/** Maximum size of a pattern: a larger table would take too long to build on a page. */
export const MOST_PATTERN_TILES = 6;
const UNKNOWN = 255;

export class PatternTable {
  /** Creates an empty table. Only moves of `tiles` count, so tables of disjoint tiles can be added up. */
  constructor(goal, tiles) {
    const count = goal.cells.length;
    Object.assign(this, { goal, tiles, count, moves: 0, layers: [] });
    this.least = new Uint8Array(count ** tiles.length).fill(UNKNOWN);
    this.seen = new Uint8Array(count ** (tiles.length + 1));
    this.next = [[blankOf(goal), ...tiles.map((tile) => goal.cells.indexOf(tile))]];
  }

  get isWhole() {
    return this.next.length === 0;
  }

  /** Number of patterns in the table. */
  get size() {
    return this.layers.reduce((sum, number) => sum + number, 0);
  }

  index(cells) {
    return cells.reduce((sum, cell) => sum * this.count + cell, 0);
  }

  /** Adds all patterns that need one move more, searching backwards from the goal. */
  grow() {
    const states = this.next;
    this.next = [];
    let found = 0;
    while (states.length) {
      const [blank, ...cells] = states.pop();
      const pattern = this.index(cells);
      const state = pattern * this.count + blank;
      if (this.seen[state]) continue;
      this.seen[state] = 1;
      if (this.least[pattern] === UNKNOWN) {
        this.least[pattern] = this.moves;
        found += 1;
      }
      for (const letter of 'udlr') this.reach(neighbour(this.goal, blank, letter), blank, cells, states);
    }
    this.layers.push(found);
    this.moves += 1;
  }

  /** Moves the blank; this is free unless it moves a tile of the pattern. */
  reach(to, blank, cells, states) {
    if (to < 0) return;
    const moved = cells.indexOf(to);
    if (moved < 0) states.push([to, ...cells]);
    else this.next.push([to, ...cells.with(moved, blank)]);
  }

  /** Returns the number of moves that the tiles of the pattern need on a board. The table must be complete. */
  lookUp(board) {
    return this.least[this.index(this.tiles.map((tile) => board.cells.indexOf(tile)))];
  }
}
