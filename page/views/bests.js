// Data of the player stored in the browser: best solves and settings. Nothing is stored if storage is disabled.

const MAX_SOLVES = 10;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`loyd.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`loyd.${name}`, JSON.stringify(value));
  } catch { /* storage is disabled or full */ }
}

/** Returns the fastest solves of a kind of board, the best first: [{ms, board, moves, times}], with the time of each move. */
export const keptSolves = (kind) => read(`solves ${kind}`, []);

/** Stores a solve if it is among the fastest. Returns its rank from 1, or 0. */
export function keepSolve(kind, solve) {
  const solves = keptSolves(kind);
  const place = solves.filter(({ ms }) => ms <= solve.ms).length;
  if (place >= MAX_SOLVES) return 0;
  write(`solves ${kind}`, solves.toSpliced(place, 0, solve).slice(0, MAX_SOLVES));
  return place + 1;
}

/** Reads a setting that is on or off, after storing `value` if it is given. */
export function storedFlag(name, value) {
  if (value !== undefined) write(name, value);
  return read(name, false);
}
