// Traces of a search: its events, grouped by steps, and what is known after each. A step is the expansion of a node, with
// all events of its children.

/** Events of children whose boards are known. */
const DUPLICATES = new Set(['duplicate', 'updating', 'reopening']);
const NO_NODE = new Set(['duplicate', 'closing', 'destination']);
/** Reasons of children that count as not generated: the search leaves these moves out. */
const LEFT_OUT = new Set(['undoes the last move', 'continues along the line of the last move', 'another path leads to the same state']);

/** Splits events into steps: [{node, events}], where `node` is the event `expanding`. */
export function stepsOf(events) {
  const steps = [];
  let before = [];
  for (const event of events) {
    if (event.type === 'expanding') {
      steps.push({ node: event, events: [...before, event] });
      before = [];
    } else if (event.type === 'source' || event.type === 'iteration' || steps.length === 0) before.push(event);
    else steps.at(-1).events.push(event);
  }
  return steps;
}

/** Returns whether an event is about a move that the search leaves out. */
export const isLeftOut = ({ type, reason }) => type === 'pruned' && LEFT_OUT.has(reason);

/**
 * A search with its steps, its `result` and its `algorithm`. `after(step, part)` returns its state after that many steps, the last one up to
 its event number `part`:
 *
 * - `nodes`: a Map from id to {id, parent, move, board, g, h, f, reason, iteration, state}, where `state` is open, done, now,
 *   pruned or end;
 * - `open`: the ids of the open nodes; `mostOpen`: the largest number of them so far;
 * - `current`: the id of the node expanded last; `event`: the last event;
 * - `iterations`: [{bound, step, expanded}], with the first step of each, for searches with bounds;
 * - `expanded`, `generated`, `duplicates`, `pruned`: numbers of nodes;
 * - `levels`: a Map from f, or g in a search without f, to the number of nodes expanded.
 *
 * The state is that of the trace itself: it is changed by the next call, which is fast if it is for a later step.
 */
export class Trace {
  constructor(events, result = {}) {
    this.steps = stepsOf(events);
    Object.assign(this, { result, algorithm: result.algorithm, eventCount: events.length, hasEnd: events.some(({ type }) => type === 'end') });
    this.rewind();
    /** All values of f, or of g in a search without f, in increasing order. */
    this.levels = [...new Set(this.steps.map(({ node }) => levelOf(node)))].sort((a, b) => a - b);
    this.hasF = this.steps.some(({ node }) => node.f !== undefined);
    this.iterations = iterationsOf(this.steps);
  }

  rewind() {
    this.at = { step: 0, part: 0 };
    this.state = {
      nodes: new Map(), open: new Set(), mostOpen: 0, current: null, event: null, iterations: [],
      expanded: 0, generated: 0, duplicates: 0, pruned: 0, levels: new Map(),
    };
  }

  after(step, part = Infinity) {
    const last = Math.min(step, this.steps.length);
    const end = Math.min(part, this.steps[last - 1]?.events.length ?? 0);
    if (last < this.at.step || (last === this.at.step && end < this.at.part)) this.rewind();
    while (this.at.step < last || this.at.part < end) this.advance();
    return this.state;
  }

  /** Applies the next event. */
  advance() {
    const { at, steps } = this;
    if (at.step === 0 || at.part === steps[at.step - 1].events.length) Object.assign(at, { step: at.step + 1, part: 0 });
    const event = steps[at.step - 1].events[at.part];
    at.part += 1;
    this.apply(event);
  }

  apply(event) {
    const { state } = this;
    const { type } = event;
    state.event = event;
    if (type === 'iteration') return state.iterations.push({ bound: event.bound, step: this.at.step, expanded: 0 });
    if (DUPLICATES.has(type)) state.duplicates += 1;
    if (type === 'pruned' && !isLeftOut(event)) state.pruned += 1;
    if (isGenerated(event, state.nodes)) state.generated += 1;
    if (!NO_NODE.has(type) && !isLeftOut(event)) take(state, event);
    if (type === 'closing') setState(state, event.id, 'done');
    if (type !== 'expanding') return undefined;
    if (state.nodes.get(state.current)?.state === 'now') setState(state, state.current, 'done');
    state.current = event.id;
    state.expanded += 1;
    if (state.iterations.length) state.iterations.at(-1).expanded += 1;
    return state.levels.set(levelOf(event), (state.levels.get(levelOf(event)) ?? 0) + 1);
  }
}

/** Returns the iterations of a search: [{bound, last}], with the number of the last step of each. */
function iterationsOf(steps) {
  const starts = steps.flatMap(({ events }, place) => events.filter(({ type }) => type === 'iteration').map(({ bound }) => ({ bound, place })));
  return starts.map(({ bound, place }, at) => ({ bound, last: Math.max(starts[at + 1]?.place ?? steps.length, place + 1) }));
}

const levelOf = ({ f, g }) => f ?? g ?? 0;

/** Returns whether an event is the first of a child. */
function isGenerated(event, nodes) {
  const { type, id, pId } = event;
  if (type === 'generating' || DUPLICATES.has(type)) return true;
  return type === 'pruned' && pId !== undefined && !nodes.has(id) && !isLeftOut(event);
}

const STATE = { source: 'open', generating: 'open', updating: 'open', reopening: 'open', expanding: 'now', pruned: 'pruned', end: 'end' };

function take(state, { type, id, pId, ...event }) {
  const known = state.nodes.get(id) ?? { id, parent: null, iteration: state.iterations.length };
  state.nodes.set(id, Object.assign(known, event, { parent: pId ?? known.parent }));
  setState(state, id, STATE[type] ?? known.state);
}

function setState(state, id, name) {
  const node = state.nodes.get(id);
  if (!node) return;
  // The end of a search stays marked.
  if (node.state !== 'end') node.state = name;
  if (node.state === 'open') state.open.add(id);
  else state.open.delete(id);
  state.mostOpen = Math.max(state.mostOpen, state.open.size);
}

/** Returns the ids from a node up to its root. */
export function pathTo(nodes, id) {
  const path = [];
  for (let node = nodes.get(id); node; node = nodes.get(node.parent)) path.push(node.id);
  return path;
}

/** Returns the ids of the children of a node that have become nodes. */
const childrenOf = (nodes, id) => [...nodes.values()].filter(({ parent }) => parent === id).map((node) => node.id);

/**
 * Returns the first `most` open nodes in the order of expansion, as far as it is known: the node `next`, then by f, then by
 decreasing g.
 */
export function openList({ nodes, open }, next, most = Infinity) {
  const isBefore = (a, b) => {
    if (a.id === next || b.id === next) return a.id === next;
    if (a.f !== b.f) return a.f < b.f;
    if (a.g !== b.g) return a.f === undefined ? a.g < b.g : a.g > b.g;
    return a.id < b.id;
  };
  const first = [];
  // Insertion into the few first ones: open lists have thousands of nodes, of which a few are shown.
  for (const id of open) {
    const node = nodes.get(id);
    if (first.length >= most && !isBefore(node, first.at(-1))) continue;
    const place = first.findIndex((other) => isBefore(node, other));
    first.splice(place < 0 ? first.length : place, 0, node);
    if (first.length > most) first.pop();
  }
  return first;
}

/** Returns the id that an arrow key selects from a node: the parent, the first child, or a neighbour on the same level. */
export function neighbourOf(nodes, id, key) {
  const node = nodes.get(id);
  if (!node) return null;
  if (key === 'ArrowUp') return nodes.has(node.parent) ? node.parent : null;
  if (key === 'ArrowDown') return childrenOf(nodes, id)[0] ?? null;
  const isBeside = (other) => other.g === node.g && other.iteration === node.iteration && other.backward === node.backward;
  const level = [...nodes.values()].filter(isBeside).map((other) => other.id);
  return level[level.indexOf(id) + (key === 'ArrowLeft' ? -1 : 1)] ?? null;
}

/** Conditions at which a run pauses, with their labels. Those with a value have it as a number or a board. */
export const STOPS = [['', 'Never'], ['level', 'A new value of f'], ['f', 'f at least'], ['depth', 'g at least'], ['board', 'This board'], ['duplicate', 'A known board'], ['pruned', 'A cut']];

/** Returns whether a run pauses at a step, `{node, events}`, before which the search had expanded nodes of `levels`. */
export function stopsAt({ kind, value }, { node, events }, levels) {
  switch (kind) {
    case 'level': return !levels.has(levelOf(node));
    case 'f': return value !== '' && levelOf(node) >= Number(value);
    case 'depth': return value !== '' && node.g >= Number(value);
    case 'board': return events.some(({ board }) => board?.join(' ') === value);
    case 'duplicate': return events.some(({ type }) => DUPLICATES.has(type));
    case 'pruned': return events.some((event) => event.type === 'pruned' && !isLeftOut(event));
    default: return false;
  }
}

/**
 * Reads a trace file, of Posthoc or with one JSON object per line: {events, header, result}. Throws an Error that describes
 * what is wrong with it.
 */
export function readTrace(text) {
  const items = parsed(text);
  const isLines = Array.isArray(items);
  const events = isLines ? items.filter(({ type }) => type !== 'result' && type) : items.events;
  if (!Array.isArray(events) || !events.every((event) => event && typeof event.type === 'string')) throw new Error('This file is not a trace: it has no list of events.');
  if (!events.some(({ type }) => type === 'expanding')) throw new Error('This trace expands no node.');
  if (events.length > MAX_FILE_EVENTS) throw new Error(`This trace has ${events.length.toLocaleString('en')} events; at most ${MAX_FILE_EVENTS.toLocaleString('en')} can be shown.`);
  const parentOf = acyclicParents();
  const nodes = events.map((event) => ({ ...event, g: Number(event.g ?? 0), pId: parentOf(event), board: Array.isArray(event.board) ? event.board : undefined }));
  return isLines ? { events: nodes, header: items[0], result: items.at(-1).type === 'result' ? items.at(-1) : {} } : { events: nodes, header: items.header ?? {}, result: items.result ?? {} };
}

/**
 * Returns a function from an event to the id of its parent. Other programs may reach a state again from its descendants;
 * a parent that would make such a cycle is left out.
 */
function acyclicParents() {
  const parents = new Map();
  return ({ id, pId }) => {
    if (pId === undefined || pId === null || parents.get(id) === pId) return parents.get(id);
    let above = pId;
    while (above !== undefined && above !== id) above = parents.get(above);
    if (above === id) return parents.get(id);
    parents.set(id, pId);
    return pId;
  };
}

const MAX_FILE_EVENTS = 200_000;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch { /* perhaps one object per line */ }
  return text.split('\n').flatMap((line, number) => {
    if (!line.trim()) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      throw new Error(`Line ${number + 1} of this file is not JSON.`);
    }
  });
}
