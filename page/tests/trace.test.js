import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layersOf, placed } from '../parts/layers.js';
import { describe, pseudocodeOf, roleOf } from '../puzzle/pseudocode.js';
import { Trace, neighbourOf, openList, pathTo, readTrace, stepsOf, stopsAt } from '../puzzle/trace.js';
import { layout } from '../puzzle/tree_layout.js';

const EVENTS = [
  { type: 'source', id: 1, g: 0, h: 2, f: 2, board: [1, 0] }, { type: 'expanding', id: 1, g: 0, h: 2, f: 2, board: [1, 0] },
  { type: 'generating', id: 2, pId: 1, g: 1, h: 3, f: 4, board: [] }, { type: 'generating', id: 3, pId: 1, g: 1, h: 1, f: 2, board: [] },
  { type: 'expanding', id: 3, pId: 1, g: 1, h: 1, f: 2, board: [] },
  { type: 'pruned', id: 4, pId: 3, g: 2, reason: 'undoes the last move', board: [] },
  { type: 'generating', id: 5, pId: 3, g: 2, h: 0, f: 2, board: [] }, { type: 'end', id: 5, pId: 3, g: 2, board: [] },
];

const rows = (state) => [...state.nodes.values()].map(({ id, state: kind }) => [id, kind]);

test('a trace is followed by steps and by events, forwards and backwards', () => {
  assert.equal(stepsOf(EVENTS).length, 2);
  const trace = new Trace(EVENTS);
  const first = trace.after(1);
  assert.deepEqual(rows(first), [[1, 'now'], [2, 'open'], [3, 'open']]);
  assert.deepEqual([first.expanded, first.generated, first.mostOpen, trace.levels], [1, 2, 2, [2]]);
  assert.deepEqual(openList(first, 3).map(({ id }) => id), [3, 2]);
  assert.deepEqual(openList(first, 2, 1).map(({ id }) => id), [2]);
  const second = trace.after(2);
  assert.deepEqual(rows(second), [[1, 'done'], [2, 'open'], [3, 'now'], [5, 'end']]);
  assert.deepEqual([pathTo(second.nodes, 5), [...second.levels], [...second.open]], [[5, 3, 1], [[2, 2]], [2]]);
  assert.deepEqual(rows(trace.after(1, 3)), [[1, 'now'], [2, 'open']]);
  assert.equal(trace.after(2, 2).event.reason, 'undoes the last move');
});

test('arrow keys select the parent, a child or a neighbour', () => {
  const { nodes } = new Trace(EVENTS).after(2);
  assert.deepEqual(['ArrowUp', 'ArrowLeft', 'ArrowRight', 'ArrowDown'].map((key) => neighbourOf(nodes, 3, key)), [1, 2, null, 5]);
});

test('a run pauses where the reader wants', () => {
  const steps = stepsOf([...EVENTS.slice(0, 5), { type: 'duplicate', id: 6, pId: 3, g: 2, board: [0, 1] }]);
  const pauses = (kind, value) => steps.map((step) => stopsAt({ kind, value }, step, new Map([[2, 1]])));
  assert.deepEqual([pauses('depth', '1'), pauses('f', '3'), pauses('level'), pauses('duplicate'), pauses('board', '0 1'), pauses('pruned'), pauses('')],
    [[false, true], [false, false], [false, false], [false, true], [false, true], [false, false], [false, false]]);
  assert.equal(stopsAt({ kind: 'level' }, steps[0], new Map()), true);
  assert.deepEqual([pauses('f', ''), pauses('depth', '')], [[false, false], [false, false]], 'without a value');
});

test('parents are centred above their children', () => {
  const { nodes } = new Trace(EVENTS).after(1);
  const { places } = layout(nodes, [...nodes.keys()]);
  assert.equal(places.get(1).x, (places.get(2).x + places.get(3).x) / 2);
  assert.ok(places.get(2).x < places.get(3).x && places.get(2).y > places.get(1).y);
});

test('subtrees are as close as their outlines allow', () => {
  const nodes = new Map([[1, null], [2, 1], [3, 1], [4, 2], [5, 2], [6, 2], [7, 3]].map(([id, parent]) => [id, { id, parent }]));
  const { places, width } = layout(nodes, [...nodes.keys()], { across: 10, down: 10 });
  assert.deepEqual([4, 5, 6, 7].map((id) => places.get(id).x), [10, 20, 30, 40]);
  assert.equal(places.get(1).x, (places.get(2).x + places.get(3).x) / 2);
  assert.ok(width <= 50);
});

test('iterations follow one another, and their trees are kept', () => {
  const events = [{ type: 'iteration', id: 1, bound: 2 }, ...EVENTS.slice(0, 2), { type: 'pruned', id: 2, pId: 1, g: 1, f: 4, bound: 2, reason: 'f is above the bound', board: [] },
    { type: 'iteration', id: 9, bound: 4 }, { type: 'source', id: 9, g: 0, f: 4, board: [] }, { type: 'expanding', id: 9, g: 0, f: 4, board: [] }];
  const state = new Trace(events).after(2);
  assert.deepEqual(rows(state), [[1, 'done'], [2, 'pruned'], [9, 'now']]);
  assert.deepEqual([state.iterations.map(({ bound, expanded }) => [bound, expanded]), state.generated, state.pruned], [[[2, 1], [4, 1]], 1, 1]);
  assert.deepEqual(layersOf(state).map(({ g, nodes }) => [g, nodes.map(({ id }) => id)]), [[0, [9]]]);
});

test('layers are as large as their widest row allows, and wrap', () => {
  const layers = [1, 40, 3].map((many, g) => ({ g, nodes: Array.from({ length: many }, (_, id) => ({ id })) }));
  const { places, size, labels } = placed(layers, 100);
  assert.equal(size, 5);
  assert.ok(places.every(({ x }) => x + size <= 100));
  assert.deepEqual([places[1].y < places[40].y, labels.map(({ g }) => g)], [true, [0, 1, 2]]);
});

test('every event has words, and every one of a known algorithm a line of pseudocode', () => {
  const [move, words] = describe({ type: 'pruned', move: 'l', g: 1, h: 7, f: 8, bound: 6, reason: 'f is above the bound' }, new Map(), true);
  assert.deepEqual([move, words], ['R', 'Cut: f 8 is above the bound 6.']);
  assert.deepEqual(describe({ type: 'duplicate', move: 'u', known: 4, g: 5 }, new Map([[4, { g: 3 }]]), true), ['D', 'Known already, with g 3.']);
  const roles = pseudocodeOf('astar').map(([role]) => role);
  for (const event of EVENTS) assert.ok(roles.includes(roleOf(event)), event.type);
});

test('trace files are read, and what is wrong with them is said', () => {
  const lines = [{ loyd: 'trace', board: '1 0' }, ...EVENTS, { type: 'result', status: 'solved' }].map((item) => JSON.stringify(item)).join('\n');
  const read = readTrace(lines);
  assert.deepEqual([read.events.length, read.header.board, read.result.status], [EVENTS.length, '1 0', 'solved']);
  assert.equal(readTrace(JSON.stringify({ version: '1.4.0', events: [{ type: 'source', id: 'a' }, { type: 'expanding', id: 'a', pId: null }] })).events[1].pId, undefined);
  assert.throws(() => readTrace('{"events": [{"type": "source"}]}'), /expands no node/);
  assert.throws(() => readTrace(`${lines}\n{`), /Line 11 of this file is not JSON/);
  const cycle = readTrace(JSON.stringify({ events: [{ type: 'source', id: 1 }, { type: 'expanding', id: 1, pId: 2 }, { type: 'generating', id: 2, pId: 1 }, { type: 'generating', id: 1, pId: 2 }] }));
  const { nodes } = new Trace(cycle.events).after(1);
  assert.deepEqual(pathTo(nodes, 1), [1, 2], 'a parent that would make a cycle is left out');
  assert.throws(() => readTrace('{}'), /no list of events/);
});
