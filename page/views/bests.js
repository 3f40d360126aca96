// What the browser keeps of a player: the best solves and habits. A browser that keeps nothing is no fault.

const MOST_SOLVES = 10;

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
  } catch { /* it is only not kept */ }
}

/** The fastest solves of a kind of board, the best first: [{ms, board, moves, times}], times being those of each move. */
export const keptSolves = (kind) => read(`solves ${kind}`, []);

/** Keeps a solve if it is among the fastest. Answers its place, 1 for the best, or 0. */
export function keepSolve(kind, solve) {
  const solves = keptSolves(kind);
  const place = solves.filter(({ ms }) => ms <= solve.ms).length;
  if (place >= MOST_SOLVES) return 0;
  write(`solves ${kind}`, solves.toSpliced(place, 0, solve).slice(0, MOST_SOLVES));
  return place + 1;
}

/** A habit that is on or off. */
export function storedFlag(name, value) {
  if (value !== undefined) write(name, value);
  return read(name, false);
}
