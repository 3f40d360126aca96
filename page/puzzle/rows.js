// Rows of a race: which algorithm, with which heuristic and closed list.

const row = (algorithm, heuristic, closed, weight) => ({ algorithm, heuristic, closed, weight });

/** Rows that belong together. The realms are those of `loyd realms`. */
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

/** The name that the engine gives a row, and by which rows are told apart. */
export const rowName = ({ algorithm, heuristic, closed, weight }) => [algorithm, heuristic, closed, weight && `w${weight}`].filter(Boolean).join('/');

/** Rows, each once. */
export const distinct = (rows) => [...new Map(rows.map((one) => [rowName(one), one])).values()];

/** `astar.manhattan.hashed,bfs`, for links. */
export const writeRows = (rows) => rows.map((one) => PARTS.map((part) => one[part] ?? '').join('.').replace(/\.+$/, '')).join(',');

/** Rows of a link, or null. */
export function readRows(text) {
  if (!text) return null;
  const rows = text.split(',').map((part) => {
    const [algorithm, heuristic, closed, ...weight] = part.split('.');
    return { algorithm, heuristic: heuristic || undefined, closed: closed || undefined, weight: Number(weight.join('.')) || undefined };
  });
  return rows.every(({ algorithm }) => /^[a-z]+$/.test(algorithm)) ? distinct(rows) : null;
}
