import assert from 'node:assert/strict';
import test from 'node:test';
import { keepSolve, keptSolves } from '../views/bests.js';

const kept = new Map();
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };

test('the ten fastest solves of a kind are stored, the best first', () => {
  const solve = (ms) => ({ ms, board: '1 2/0 3', moves: 'r', times: [0] });
  const places = [50, 40, 60, 40].map((ms) => keepSolve('2x2', solve(ms)));
  assert.deepEqual(places, [1, 1, 3, 2]);
  for (let ms = 1; ms <= 10; ms += 1) keepSolve('2x2', solve(ms));
  assert.equal(keepSolve('2x2', solve(11)), 0);
  assert.deepEqual(keptSolves('2x2').map(({ ms }) => ms), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(keptSolves('3x3'), []);
});

test('disabled storage is not an error', () => {
  globalThis.localStorage = { getItem: () => { throw new Error('no'); }, setItem: () => { throw new Error('no'); } };
  assert.equal(keepSolve('2x2', { ms: 1 }), 1);
  assert.deepEqual(keptSolves('2x2'), []);
});
