// A trace, step by step. A step is a node that is expanded, with all that happens to its children.

/** The steps of a trace: [{node, bound, events}], node being the event `expanding`. */
export function stepsOf(events) {
  const steps = [];
  let bound = null;
  let before = [];
  for (const event of events) {
    if (event.type === 'iteration') bound = event.bound;
    if (event.type === 'expanding') {
      steps.push({ node: event, bound, events: [...before, event] });
      before = [];
    } else if (event.type === 'source' || event.type === 'iteration' || steps.length === 0) before.push(event);
    else steps.at(-1).events.push(event);
  }
  return steps;
}

/**
 * What is known after `count` steps: {nodes, current, iteration}. `nodes` is a Map from id to
 * {id, parent, move, board, g, h, f, state}, state being open, done, now, pruned or end. An iteration of IDA* begins anew.
 */
export function knownAfter(steps, count) {
  let nodes = new Map();
  let current = null;
  let bound = null;
  for (const step of steps.slice(0, count)) {
    for (const event of step.events) {
      if (event.type === 'iteration') {
        nodes = new Map();
        bound = event.bound;
      } else take(nodes, event);
    }
    if (current && nodes.get(current)?.state === 'now') nodes.get(current).state = 'done';
    current = step.node.id;
    const node = nodes.get(current);
    if (node.state !== 'end') node.state = 'now';
  }
  return { nodes, current, bound };
}

const STATE = { source: 'open', generating: 'open', updating: 'open', reopening: 'open', expanding: 'done', pruned: 'pruned' };

function take(nodes, { type, id, pId, ...event }) {
  if (type === 'duplicate' || (type === 'pruned' && event.reason?.startsWith('takes the last move'))) return;
  if (type === 'end') {
    if (nodes.has(id)) nodes.get(id).state = 'end';
    return;
  }
  const known = nodes.get(id) ?? { id, parent: null };
  nodes.set(id, Object.assign(known, event, { parent: pId ?? known.parent, state: STATE[type] ?? known.state }));
}

/** The ids from a node up to its root. */
export function wayTo(nodes, id) {
  const way = [];
  for (let node = nodes.get(id); node; node = nodes.get(node.parent)) way.push(node.id);
  return way;
}

/** The open nodes, in the order of the search as far as it is known: the next one, then the least f, then the largest g. */
export function openList({ nodes }, next) {
  const open = [...nodes.values()].filter(({ state }) => state === 'open');
  const rank = (node) => [node.id === next ? 0 : 1, node.f ?? 0, node.f === undefined ? node.g : -node.g, node.id];
  return open.sort((a, b) => compare(rank(a), rank(b)));
}

function compare(a, b) {
  const place = a.findIndex((value, at) => value !== b[at]);
  return place < 0 ? 0 : a[place] - b[place];
}

/** How many nodes were expanded for each f: [[f, number]], the least first. Without f, by g. */
export function contours(steps, count) {
  const numbers = new Map();
  for (const { node } of steps.slice(0, count)) {
    const level = node.f ?? node.g;
    numbers.set(level, (numbers.get(level) ?? 0) + 1);
  }
  return [...numbers].sort(([a], [b]) => a - b);
}

/**
 * Where nodes are drawn: a Map from id to {x, y}, and the size. Children stand side by side below the middle of their
 * parent, and subtrees as close together as their outlines allow.
 */
export function layout(nodes, ids, { across = 112, down = 84 } = {}) {
  const shown = new Set(ids);
  const children = new Map(ids.map((id) => [id, []]));
  for (const id of ids) children.get(nodes.get(id).parent)?.push(id);
  const trees = ids.filter((id) => !shown.has(nodes.get(id).parent)).map((id) => subtree(id, children));
  const { shifts, sides } = sideBySide(trees);
  const left = Math.min(0, ...sides.map(([first]) => first));
  const places = new Map();
  const settle = ({ id, below }, x, level) => {
    places.set(id, { x: (x - left + 1) * across, y: level * down });
    below.forEach(([tree, shift]) => settle(tree, x + shift, level + 1));
  };
  trees.forEach((tree, place) => settle(tree, shifts[place], 0));
  const right = Math.max(0, ...sides.map(([, last]) => last));
  return { places, width: (right - left + 2) * across - 12, height: sides.length * down };
}

/** A tree with its root at 0: {id, below: [[tree, shift]], sides}, `sides` being [left, right] of each of its levels. */
function subtree(id, children) {
  const trees = children.get(id).map((child) => subtree(child, children));
  const { shifts, sides } = sideBySide(trees);
  const middle = trees.length ? (shifts[0] + shifts.at(-1)) / 2 : 0;
  return { id, below: trees.map((tree, place) => [tree, shifts[place] - middle]), sides: [[0, 0], ...sides.map((side) => side.map((x) => x - middle))] };
}

/** How far each tree is shifted so that it stands one column beside those before it, and the sides of them all. */
function sideBySide(trees) {
  const sides = [];
  const shifts = trees.map((tree) => {
    const shift = Math.max(0, ...tree.sides.slice(0, sides.length).map(([left], level) => sides[level][1] + 1 - left));
    tree.sides.forEach(([left, right], level) => { sides[level] = [sides[level]?.[0] ?? left + shift, right + shift]; });
    return shift;
  });
  return { shifts, sides };
}
