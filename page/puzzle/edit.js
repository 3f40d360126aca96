// Edits of a board whose cells are set one by one: null is an empty cell.
const MAX_STATES = 500;

/** Returns the cells with a tile put into a cell. The tile that was there takes the old cell of the tile, if it had one. */
export function putTile(cells, cell, tile) {
  const next = cells.slice();
  const from = cells.indexOf(tile);
  if (from >= 0) next[from] = cells[cell];
  next[cell] = tile;
  return next;
}

/** Returns the cells with the contents of two cells exchanged. */
export function swapCells(cells, a, b) {
  const next = cells.slice();
  [next[a], next[b]] = [cells[b], cells[a]];
  return next;
}

/**
 * Adds a digit to those typed so far: {text, tile}. A digit that makes the number too large begins a new number; `tile`
 * is null if there is no such tile on a board with `count` cells.
 */
export function typeDigit(typed, digit, count) {
  const joined = typed + digit;
  const text = Number(joined) < count ? joined : digit;
  return { text, tile: Number(text) < count ? Number(text) : null };
}

/** States that can be undone and redone, at most MAX_STATES of them. Each state has a `key` that identifies it. */
export class History {
  constructor() {
    Object.assign(this, { states: [], at: -1 });
  }

  /** Adds a state that differs from the current one. It replaces the current one if both have the same `group`. */
  add(state, group = null) {
    const current = this.states[this.at];
    if (current?.key === state.key) return;
    const end = group && current?.group === group ? this.at : this.at + 1;
    this.states = [...this.states.slice(0, end), { ...state, group }].slice(-MAX_STATES);
    this.at = this.states.length - 1;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.states.length - 1;
  }

  /** Returns the previous state and makes it the current one; null if there is none. */
  undo() {
    return this.canUndo ? this.states[(this.at -= 1)] : null;
  }

  /** Returns the next state and makes it the current one; null if there is none. */
  redo() {
    return this.canRedo ? this.states[(this.at += 1)] : null;
  }
}
