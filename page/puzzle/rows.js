// Rows of a race: an algorithm with a heuristic and a closed list.

const row = (algorithm, heuristic, closed, weight) => ({ algorithm, heuristic, closed, weight });

/** Named sets of rows. The realms are those of `loyd realms`. */
export const PRESETS = {
  classics: [row('bfs'), row('bibfs'), row('astar', 'manhattan'), row('idastar', 'manhattan')],
  realms: [
    row('bfs', undefined, 'ordered'), row('bfs', undefined, 'hashed'), row('bfs', undefined, 'ranked'), row('bibfs', undefined, 'ranked'),
    row('astar', 'misplaced', 'ordered'), row('astar', 'manhattan', 'hashed'), row('astar', 'manhattan', 'ranked'), row('idastar', 'manhattan'),
  ],
  weights: [row('astar', 'manhattan'), row('wastar', 'manhattan', undefined, 2), row('wastar', 'manhattan', undefined, 5), row('greedy', 'manhattan')],
  large: [row('idastar', 'manhattan'), row('idastar', 'linear-conflict'), row('wastar', 'linear-conflict', undefined, 5), row('wastar', 'linear-conflict', undefined, 10), row('greedy', 'linear-conflict')],
  heuristics: [row('astar', 'zero'), row('astar', 'misplaced'), row('astar', 'manhattan'), row('astar', 'linear-conflict'), row('astar', 'walking-distance')],
};

const PARTS = ['algorithm', 'heuristic', 'closed', 'weight'];

/** Returns the name by which the engine identifies a row. */
export const rowName = ({ algorithm, heuristic, closed, weight }) => [algorithm, heuristic, closed, weight && `w${weight}`].filter(Boolean).join('/');

/** Removes duplicate rows. */
export const distinct = (rows) => [...new Map(rows.map((one) => [rowName(one), one])).values()];

/** Formats rows for links, as in `astar.manhattan.hashed,bfs`. */
export const writeRows = (rows) => rows.map((one) => PARTS.map((part) => one[part] ?? '').join('.').replace(/\.+$/, '')).join(',');

/** Parses the rows of a link; returns null if there are none or one is invalid. */
export function readRows(text) {
  if (!text) return null;
  const rows = text.split(',').map((part) => {
    const [algorithm, heuristic, closed, ...weight] = part.split('.');
    return { algorithm, heuristic: heuristic || undefined, closed: closed || undefined, weight: Number(weight.join('.')) || undefined };
  });
  return rows.every(({ algorithm }) => /^[a-z]+$/.test(algorithm)) ? distinct(rows) : null;
}
