// The searches that can be looked into.

export const ALGORITHMS = [
  ['astar', 'A*'], ['wastar', 'Weighted A*'], ['greedy', 'Greedy'], ['idastar', 'IDA*'], ['bfs', 'Breadth-first'], ['bibfs', 'Bidirectional'],
  ['ucs', 'Uniform-cost'], ['mm', 'MM'], ['dfs', 'Depth-first'], ['iddfs', 'Iterative deepening'],
];
/** Algorithms without a heuristic. */
export const BLIND = new Set(['bfs', 'bibfs', 'ucs', 'dfs', 'iddfs']);
export const HEURISTICS = ['manhattan', 'misplaced', 'gaschnig', 'linear-conflict', 'walking-distance', 'inversion-distance', 'zero'];

/** Returns the name of a search by its choices. */
export function nameOf({ algorithm, heuristic, matrix, weight }) {
  const name = ALGORITHMS.find(([one]) => one === algorithm)?.[1] ?? algorithm;
  const guide = matrix ? 'a matrix' : heuristic;
  return [name, weight && `(${weight})`, guide && `with ${guide}`].filter(Boolean).join(' ');
}
