import assert from 'node:assert/strict';
import test from 'node:test';
import { History, putTile, swapCells, typeDigit } from '../puzzle/edit.js';

test('a tile that is put into a cell trades places with the tile there', () => {
  const cells = [1, 2, null, 0];
  assert.deepEqual(putTile(cells, 0, 2), [2, 1, null, 0]);
  assert.deepEqual(putTile(cells, 0, 3), [3, 2, null, 0], 'a tile from outside replaces');
  assert.deepEqual(putTile(cells, 2, 0), [1, 2, 0, null]);
  assert.deepEqual(putTile(cells, 0, 1), cells);
  assert.deepEqual(swapCells(cells, 1, 2), [1, null, 2, 0]);
  assert.deepEqual(cells, [1, 2, null, 0]);
});

test('digits form the numbers of tiles', () => {
  assert.deepEqual(typeDigit('', '1', 16), { text: '1', tile: 1 });
  assert.deepEqual(typeDigit('1', '5', 16), { text: '15', tile: 15 });
  assert.deepEqual(typeDigit('1', '6', 16), { text: '6', tile: 6 }, 'a number that is too large begins again');
  assert.deepEqual(typeDigit('25', '5', 256), { text: '255', tile: 255 });
  assert.deepEqual(typeDigit('', '9', 9), { text: '9', tile: null });
  assert.deepEqual(typeDigit('', '0', 9), { text: '0', tile: 0 });
});

test('states are undone and redone, groups in one step, and a new state ends what was undone', () => {
  const history = new History();
  const add = (key, group) => history.add({ key }, group);
  for (const [key, group] of [['a'], ['b'], ['b'], ['c', 'x'], ['d', 'x'], ['e', 'y']]) add(key, group);
  assert.deepEqual(['undo', 'undo', 'undo', 'undo', 'redo', 'redo'].map((step) => history[step]()?.key), ['d', 'b', 'a', undefined, 'b', 'd']);
  assert.deepEqual([history.canUndo, history.canRedo], [true, true]);
  add('f');
  assert.equal(history.redo(), null);
  assert.equal(history.undo().key, 'd');
  for (let number = 0; number < 1000; number += 1) add(String(number));
  assert.equal(history.states.length, 500);
});
