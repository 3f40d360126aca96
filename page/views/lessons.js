// The lessons: a few paragraphs with a running example. `rows(engine, request, signal)` returns [[name, number]],
// where `boards` of a row, if any, are drawn;
// `tiles` are those of a pattern.

const solve = (engine, request, choices, signal) => engine.call('solve', { ...request, ...choices, max_ms: 10_000 }, { signal });
const EVENTS = 20_000;

/** Runs several searches and returns the number of nodes that each expanded. */
async function searches(engine, request, variants, signal) {
  const rows = [];
  for (const [name, choices] of variants) rows.push([name, (await solve(engine, request, choices, signal)).expanded]);
  return rows;
}

async function layers(engine, request, signal) {
  const { events } = await engine.call('trace', { ...request, algorithm: 'bfs', max_events: EVENTS }, { signal });
  const boards = [];
  for (const { type, g, board } of events) if (type === 'source' || type === 'generating') (boards[g] ??= []).push(board);
  return boards.map((found, g) => Object.assign([g === 1 ? '1 move' : `${g} moves`, found.length], { boards: found }));
}

async function iterationRows(engine, request, signal) {
  const { iterations = [] } = await solve(engine, request, { algorithm: 'idastar', heuristic: 'manhattan' }, signal);
  return iterations.map(({ bound, expanded }) => [`${bound} moves`, expanded]);
}

export const LESSONS = [
  {
    name: 'parity', tab: 'Parity', title: 'Parity: half of all boards are unsolvable', board: '2 3 4/1 5 0/7 6 8', action: 'Swap two tiles',
    text: [
      'Read the tiles row by row and leave the blank out. Count the pairs that are in the wrong order. On a board of odd width, a sideways move changes no pair; a move up or down carries a tile past an even number of others. So the count stays even or stays odd, whatever you do.',
      'The goal has no such pair: 0, an even number. A board with an odd count can never reach it, unless two tiles are taken out and swapped. On a board of even width, add the number of rows between the blank and its home.',
    ],
    caption: 'Pairs in the wrong order',
  },
  {
    name: 'bfs', tab: 'Breadth-first', title: 'Breadth-first: all boards, nearest first', board: '1 3 0/4 2 5/7 8 6', length: 12, action: 'Next layer', rows: layers,
    text: [
      'Start with the board. Making every possible move gives the boards that are one move away. Making every move from those, and leaving out boards seen before, gives the boards that are two moves away. Continue until the goal turns up. It is found in the first layer that contains it, so no path is shorter.',
      'The price is memory. Each layer of the 8-puzzle is about 1.7 times as large as the previous one, each layer of the 15-puzzle about 2.1 times, and every board has to be remembered.',
    ],
    ending: 'That is all: the goal turned up before the last layer was complete.',
    caption: 'New boards in each layer', heads: ['Layer', 'Boards'], isLog: false,
  },
  {
    name: 'bidirectional', tab: 'Bidirectional', title: 'Bidirectional: dig the tunnel from both ends', board: '8 6 7/2 5 4/3 0 1', length: 24, action: 'Run the next search',
    rows: (engine, request, signal) => searches(engine, request, [['From the start', { algorithm: 'bfs' }], ['From both ends', { algorithm: 'bibfs' }]], signal),
    text: [
      'Layers grow by a factor, so the last ones make up nearly all of the work. Search from the board and from the goal at once, and let the layers meet in the middle: two searches of half the depth instead of one of full depth.',
      'If breadth-first search needs N boards, this needs about twice the square root of N.',
    ],
    caption: 'Nodes expanded (log scale)', heads: ['Search', 'Nodes'],
  },
  {
    name: 'astar', tab: 'A*', title: 'A*: always the most promising board', board: '8 6 7/2 5 4/3 0 1', length: 24, action: 'Try a better estimate',
    rows: (engine, request, signal) => searches(engine, request, ['zero', 'misplaced', 'manhattan', 'linear-conflict'].map((heuristic) => [heuristic, { algorithm: 'astar', heuristic }]), signal),
    text: [
      'For each board, add the number of moves made so far, g, and an estimate of the moves still needed, h. A* expands the board with the least sum f = g + h. If the estimate is never too high, the first solution that A* expands is a shortest one.',
      'The closer the estimate, the fewer boards are expanded. With no estimate at all, A* is breadth-first search. Misplaced counts the tiles that are not home. Manhattan adds up the distance that each tile has to go. Linear conflict adds two moves for each tile that must step aside.',
    ],
    caption: 'Nodes expanded (log scale)', heads: ['Estimate', 'Nodes'],
  },
  {
    name: 'idastar', tab: 'IDA*', title: 'IDA*: go deep, but keep a budget', board: '4 1 7 15/5 0 13 3/9 10 12 14/8 6 11 2', goal: 'blank-first', length: 24, action: 'Run the next iteration', rows: iterationRows,
    text: [
      'A* remembers every board it has met, and runs out of memory. IDA* remembers only the path it is on. It sets a budget of moves, searches depth-first, and turns back as soon as the moves made so far plus the moves surely still needed exceed it.',
      'If nothing is found, the budget grows by the least overrun, and the search starts again. That sounds wasteful. It is not: each iteration is several times larger than the previous one, so the last one is nearly all of the work.',
    ],
    caption: 'Nodes in each iteration (log scale)', heads: ['Budget', 'Nodes'],
  },
  {
    name: 'pdb', tab: 'Pattern databases', title: 'Pattern databases: solve a part in advance', board: '8 6 7/2 5 4/3 0 1', length: 24, action: 'Build the table', tiles: [1, 2, 3, 4],
    text: [
      'Paint all tiles but a few grey. How many moves do the coloured tiles need, wherever the grey ones go? There are few enough such patterns to solve all of them once, backwards from the goal, and to store the answers in a table.',
      'During the search, an estimate is a single lookup. Tables of different tiles can be added up if each counts only the moves of its own tiles. They see what Manhattan cannot: tiles in each other’s way.',
    ],
  },
];
