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

/** Where nodes are drawn: a Map from id to {x, y}, and the size. Leaves stand side by side, parents above their children. */
export function layout(nodes, ids, { across = 96, down = 70 } = {}) {
  const shown = new Set(ids);
  const children = new Map();
  const roots = [];
  for (const id of ids) {
    const { parent } = nodes.get(id);
    if (shown.has(parent)) children.set(parent, [...(children.get(parent) ?? []), id]);
    else roots.push(id);
  }
  const places = new Map();
  let leaves = 0;
  let depth = 0;
  const place = (id, level) => {
    const below = children.get(id) ?? [];
    below.forEach((child) => place(child, level + 1));
    const x = below.length ? (places.get(below[0]).x + places.get(below.at(-1)).x) / 2 : (leaves += 1) * across;
    places.set(id, { x, y: level * down });
    depth = Math.max(depth, level);
  };
  roots.forEach((id) => place(id, 0));
  return { places, width: (leaves + 1) * across - 12, height: (depth + 1) * down };
}
