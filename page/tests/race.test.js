import assert from 'node:assert/strict';
import test from 'node:test';
import { paceText, valuesAt, winnersOf } from '../puzzle/race.js';

test('the winners of a race are those with the least value that the reader sees', () => {
  const entries = [['A', 0.514], ['B', 0.5101], ['C', 0.6]].map(([title, ms]) => ({ title, ms }));
  const winners = (write) => winnersOf(entries, { of: ({ ms }) => ms, write, name: ({ title }) => title });
  assert.deepEqual(winners((ms) => ms.toFixed(2)), ['A', 'B']);
  assert.deepEqual(winners(String), ['B']);
});

test('a row grows on straight lines through its samples', () => {
  const samples = [{ ms: 10, expanded: 100, bytes: 1000 }, { ms: 30, expanded: 300, bytes: 1000 }];
  assert.deepEqual(valuesAt(samples, 0), { ms: 0, expanded: 0, bytes: 0 });
  assert.deepEqual(valuesAt(samples, 5), { ms: 5, expanded: 50, bytes: 500 });
  assert.deepEqual(valuesAt(samples, 20), { ms: 20, expanded: 200, bytes: 1000 });
  assert.deepEqual(valuesAt(samples, 30), samples[1]);
  assert.deepEqual(valuesAt(samples, 99), samples[1]);
  assert.deepEqual(valuesAt([], 5), { ms: 0, expanded: 0, bytes: 0 });
  assert.deepEqual(valuesAt([{ ms: 0, expanded: 7, bytes: 8 }], 0), { ms: 0, expanded: 7, bytes: 8 }, 'a row that took no time');
});

test('the pace of a replay is named', () => {
  assert.deepEqual([8000 / 9.97, 8000 / 20_000, 1.02, 123_456, 3.14].map(paceText), ['800 times slower', '2.5 times faster', 'as fast as the race', '120,000 times slower', '3.1 times slower']);
});
