import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { formatBoard, parseSize } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { drawBoard } from '../puzzle/scramble.js';

/** Each line has the size, the goal, the seed, and the board that `loyd scramble` draws for them. */
const lines = readFileSync(new URL('./scrambles.txt', import.meta.url), 'utf8').trim().split('\n').map((line) => line.split(' | '));

test('the same seed draws the same board as the engine', () => {
  assert.ok(lines.length >= 30);
  for (const [size, goal, seed, board] of lines) assert.equal(formatBoard(drawBoard(goalOf(goal, parseSize(size)), Number(seed))), board, `${size} ${goal} ${seed}`);
});

test('boards that take the engine are left to it', () => {
  const goal = (name) => goalOf(name, { width: 4, height: 4 });
  assert.equal(drawBoard(goal('first-row'), 1), null);
  for (const seed of [2 ** 53, -1, 1.5, NaN]) assert.equal(drawBoard(goal(''), seed), null, String(seed));
  assert.equal(drawBoard({ width: 3, height: 1, cells: [1, 2, 0] }, 1), null);
});
