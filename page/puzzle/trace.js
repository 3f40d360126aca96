// Steps of a trace. A step is the expansion of a node, with all events of its children.

/** Splits a trace into steps: [{node, bound, events}], where `node` is the event `expanding`. */
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
 * Returns the state after `count` steps: {nodes, current, bound}. `nodes` is a Map from id to
 {id, parent, move, board, g, h, f, state}, where `state` is open, done, now, pruned or end. Each iteration of IDA* starts
 with no nodes.
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
  if (type === 'duplicate' || (type === 'pruned' && event.reason === 'undoes the last move')) return;
  if (type === 'end') {
    if (nodes.has(id)) nodes.get(id).state = 'end';
    return;
  }
  const known = nodes.get(id) ?? { id, parent: null };
  nodes.set(id, Object.assign(known, event, { parent: pId ?? known.parent, state: STATE[type] ?? known.state }));
}

/** Returns the ids from a node up to its root. */
export function pathTo(nodes, id) {
  const path = [];
  for (let node = nodes.get(id); node; node = nodes.get(node.parent)) path.push(node.id);
  return path;
}

/** Returns the open nodes in the order of expansion, as far as it is known: the next one, then by f, then by decreasing g. */
export function openList({ nodes }, next) {
  const open = [...nodes.values()].filter(({ state }) => state === 'open');
  const rank = (node) => [node.id === next ? 0 : 1, node.f ?? 0, node.f === undefined ? node.g : -node.g, node.id];
  return open.sort((a, b) => compare(rank(a), rank(b)));
}

function compare(a, b) {
  const place = a.findIndex((value, at) => value !== b[at]);
  return place < 0 ? 0 : a[place] - b[place];
}

/** Returns the number of nodes expanded for each f, as [[f, number]] in increasing order. Without f, uses g. */
export function contours(steps, count) {
  const numbers = new Map();
  for (const { node } of steps.slice(0, count)) {
    const level = node.f ?? node.g;
    numbers.set(level, (numbers.get(level) ?? 0) + 1);
  }
  return [...numbers].sort(([a], [b]) => a - b);
}

/**
 * Returns the positions of nodes: a Map from id to {x, y}, and the size. Children are next to each other, centred below
 their parent, and subtrees are as close together as their outlines allow.
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

/** Returns a tree with its root at 0: {id, below: [[tree, shift]], sides}, where `sides` has [left, right] of each level. */
function subtree(id, children) {
  const trees = children.get(id).map((child) => subtree(child, children));
  const { shifts, sides } = sideBySide(trees);
  const middle = trees.length ? (shifts[0] + shifts.at(-1)) / 2 : 0;
  return { id, below: trees.map((tree, place) => [tree, shifts[place] - middle]), sides: [[0, 0], ...sides.map((side) => side.map((x) => x - middle))] };
}

/** Returns the shift of each tree that puts it one column to the right of the trees before it, and the sides of all. */
function sideBySide(trees) {
  const sides = [];
  const shifts = trees.map((tree) => {
    const shift = Math.max(0, ...tree.sides.slice(0, sides.length).map(([left], level) => sides[level][1] + 1 - left));
    tree.sides.forEach(([left, right], level) => { sides[level] = [sides[level]?.[0] ?? left + shift, right + shift]; });
    return shift;
  });
  return { shifts, sides };
}
