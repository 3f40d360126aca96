// Words for searches: the pseudocode of each algorithm, and sentences for the events of a trace.
import { toTileLetters } from './moves.js';
import { isLeftOut } from './trace.js';

const UNDO = ['move', 'for each move, except the one that leads back:'];

/** Best-first search: `value` is what orders the open list; without it, paths are as short as possible from the start. */
const bestFirst = (value, least, closed = ['better', '    known by a longer path: keep this one, and open it again']) => [
  ['start', 'open: the start'],
  ['take', `take the board with ${least} from open`],
  UNDO,
  ['known', '    known by a path as short: leave it'],
  closed,
  ['add', `    new: put it into open${value}`],
  ['goal', 'is the goal known, and no open board before it? Then the search is over'],
];

const depthFirst = (bound, cut) => [
  ['bound', bound],
  ['take', 'expand the board'],
  UNDO,
  ['cut', `    ${cut}`],
  ['add', '    else go on from there, before the next move'],
  ['goal', 'is it the goal? Then the search is over'],
];

/** Lines of pseudocode by algorithm: [role, text]. */
const PSEUDOCODE = {
  astar: bestFirst(' with f = g + h', 'the least f'),
  wastar: bestFirst(' with f = g + w · h', 'the least f'),
  greedy: bestFirst(' with f = h', 'the least h', ['better', '    in open by a longer path: keep this one']),
  ucs: bestFirst(' with its g', 'the least g'),
  mm: [
    ['start', 'open: the start on one side, the goal on the other'],
    ['take', 'take the board with the least max(g + h, 2g) of both sides'],
    UNDO,
    ['known', '    known on this side by a path as short: leave it'],
    ['better', '    known by a longer path: keep this one, and open it again'],
    ['add', '    new: put it into open'],
    ['goal', 'known on the other side: a solution. Is none shorter? Then the search is over'],
  ],
  bfs: [
    ['start', 'queue: the start'],
    ['take', 'take the first board of the queue'],
    UNDO,
    ['known', '    known: leave it'],
    ['add', '    new: put it at the end of the queue'],
    ['goal', 'is it the goal? Then the search is over'],
  ],
  bibfs: [
    ['start', 'layers: the start, and the goal'],
    ['take', 'expand the boards of the smaller layer, one after the other'],
    UNDO,
    ['known', '    known on this side: leave it'],
    ['add', '    new: it belongs to the next layer of this side'],
    ['goal', 'known on the other side? Then the searches have met'],
  ],
  idastar: depthFirst('bound: h of the start, then the least f above the last bound', 'f above the bound: turn back'),
  iddfs: depthFirst('limit: 0 moves, then 1, 2, 3, and so on', 'no moves left: turn back'),
  dfs: depthFirst('limit: a number of moves', 'no moves left: turn back'),
};

/** Returns the pseudocode of an algorithm, [[role, text]]; empty for algorithms that have none here. */
export const pseudocodeOf = (algorithm) => PSEUDOCODE[algorithm] ?? [];

const ROLES = { iteration: 'bound', source: 'start', expanding: 'take', generating: 'add', updating: 'better', reopening: 'better', duplicate: 'known', end: 'goal' };

/** Returns the role of the line of pseudocode that an event belongs to. */
export const roleOf = (event) => (event.type === 'pruned' ? (isLeftOut(event) ? 'move' : 'cut') : ROLES[event.type]);

/** Describes an event of a search with these `nodes`: [the move as a tile letter, what happened]. */
export function describe(event, nodes, hasF) {
  const { type, move, g, h, f, known, bound, reason, backward } = event;
  const value = hasF && f !== undefined ? `f ${f}` : `g ${g}`;
  const side = backward ? ' (from the goal)' : '';
  const words = {
    iteration: `A new iteration, with the bound ${bound}.`,
    source: backward ? 'The goal, where the second search starts.' : 'The start.',
    expanding: `Expanded: ${value}${h === undefined || !hasF ? '' : `, with g ${g} and h ${h}`}${side}.`,
    generating: `New: ${value}${side}.`,
    updating: `Reached by a shorter path: ${value} now.`,
    reopening: `Reached by a shorter path and opened again: ${value} now.`,
    duplicate: nodes.has(known) ? `Known already, with g ${nodes.get(known).g}.` : 'Known already.',
    pruned: PRUNED[reason]?.({ value, bound, g }) ?? `Cut: ${reason ?? 'no reason is given'}.`,
    end: 'A solution is found.',
  }[type];
  return [move ? toTileLetters(move) : '', words ?? `${type}.`];
}

/** Sentences for the reasons that the engine gives. */
const PRUNED = {
  'undoes the last move': () => 'Left out: it takes back the last move.',
  'continues along the line of the last move': () => 'Left out: one longer slide reaches the same board.',
  'another path leads to the same state': () => 'Left out: other moves lead to the same board.',
  'f is above the bound': ({ value, bound }) => `Cut: ${value} is above the bound ${bound}.`,
  'no child is within the bound': ({ bound }) => `Cut: it has used all ${bound} moves and is not the goal.`,
  'g is above the depth limit': ({ g }) => `Cut: ${g} moves are more than the limit.`,
};
