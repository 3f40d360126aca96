import assert from 'node:assert/strict';
import test from 'node:test';
import { exchange, formatBoard, neighbour, parseSize, slideTo, walk } from '../puzzle/board.js';
import { Game, lastMoved } from '../puzzle/game.js';
import { GOALS, goalOf, isSolved, solvedBoard } from '../puzzle/goals.js';
import { manhattan } from '../puzzle/matrix.js';
import { parseBoard } from '../puzzle/parse.js';
import { PatternTable } from '../puzzle/pattern.js';
import { explain, solvableGoals } from '../puzzle/solvable.js';

const board = (text, size) => parseBoard(text, size).board;
const goalText = (name, size) => formatBoard(goalOf(name, parseSize(size)));

test('all common forms of a board are parsed', () => {
  for (const text of ['2 3 4/1 5 0/7 6 8', '2 3 4 1 5 x 7 6 8', '23415x768', '234/15x/768', '[[2,3,4],[1,5,0],[7,6,8]]', '2 3 4\n1 5 _\n7 6 8',
    '┌───────┐\n│ 2 3 4 │\n│ 1 5 · │\n│ 7 6 8 │\n└───────┘', '2,3,4,1,5,0,7,6,8']) {
    assert.equal(formatBoard(board(text)), '2 3 4/1 5 0/7 6 8', text);
  }
  assert.equal(formatBoard(board('1 2 3 4 5 0', { width: 3, height: 2 })), '1 2 3/4 5 0');
});

test('faults name the cells', () => {
  const { faults } = parseBoard('1 2 3/4 5 6/7 5 0');
  assert.deepEqual(faults[0], { text: 'Tile 5 appears twice (cells 5 and 8).', cells: [4, 7] });
  assert.equal(faults[1].text, 'Tile 8 is missing.');
  assert.match(parseBoard('1 2 3/4 q 6/7 8 0').faults[0].text, /“q” is not a tile \(cell 5\)/);
  assert.deepEqual(parseBoard('1 2 3/4 99 6/7 8 0').faults[0].cells, [4]);
  assert.match(parseBoard('1 2 3/4 5').faults[0].text, /Row 2 has 2 cells; row 1 has 3/);
  assert.match(parseBoard('1 2 3 4 5 0').faults[0].text, /not make a square/);
  assert.match(parseBoard('1 2 3/4 5 6/7 8 1').faults.at(-1).text, /The blank is missing/);
});

test('sizes are within bounds', () => {
  assert.deepEqual(parseSize('5x3'), { width: 5, height: 3 });
  for (const text of ['1x4', '17x2', '4', '', undefined]) assert.equal(parseSize(text), null);
});

test('the blank walks, and tiles in line slide together', () => {
  const start = board('1 2 3/4 0 5/7 8 6');
  assert.equal(formatBoard(walk(start, 'rd')), '1 2 3/4 5 6/7 8 0');
  assert.equal(walk(start, 'rr'), null);
  assert.equal(neighbour(start, 4, 'u'), 1);
  assert.equal(slideTo(board('1 2 3/4 5 6/7 8 0'), 6), 'll');
  assert.equal(slideTo(board('1 2 3/4 5 6/7 8 0'), 0), '');
  assert.equal(slideTo(board('1 2 3/4 5 6/7 8 0'), 8), '');
});

test('named goals are those of the command line', () => {
  assert.equal(goalText('blank-first', '3x3'), '0 1 2/3 4 5/6 7 8');
  assert.equal(goalText('blank-top-right', '3x3'), '1 2 0/3 4 5/6 7 8');
  assert.equal(goalText('blank-bottom-left', '3x3'), '1 2 3/4 5 6/0 7 8');
  assert.equal(goalText('columns', '3x3'), '1 4 7/2 5 8/3 6 0');
  assert.equal(goalText('snake', '3x3'), '1 2 3/6 5 4/7 8 0');
  assert.equal(goalText('spiral', '3x3'), '1 2 3/8 0 4/7 6 5');
  assert.equal(goalText('spiral', '4x3'), '1 2 3 4/10 11 0 5/9 8 7 6');
  assert.equal(goalText('first-row', '3x3'), '1 2 3/* * */* * *');
  for (const [name] of GOALS) for (const size of ['2x2', '5x3', '3x5', '2x16']) assert.ok(isSolved(solvedBoard(goalOf(name, parseSize(size))), goalOf(name, parseSize(size))), `${name} ${size}`);
});

test('a goal may be a board with stars, and has to fit the size', () => {
  assert.ok(isSolved(board('1 2 3/8 7 0/4 5 6'), goalOf('1 2 3/* * */* * *', parseSize('3x3'))));
  assert.equal(goalOf('1 2 3/4 5 6/7 8 0', parseSize('4x4')), null);
  assert.equal(goalOf('1 2 3/1 * */* * *', parseSize('3x3')), null);
});

test('unsolvable boards are explained and repaired', () => {
  const goal = goalOf(null, parseSize('3x3'));
  const start = board('5 1 3/2 8 4/7 6 0');
  const parity = explain(start, goal);
  assert.deepEqual([parity.solvable, parity.pairs.length, parity.mend], [false, 9, [7, 6]]);
  assert.ok(explain(exchange(start, ...parity.mend), goal).solvable);
});

test('on even widths the row of the blank counts too', () => {
  const goal = goalOf(null, parseSize('4x4'));
  assert.equal(explain(board('1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0'), goal).solvable, false);
  assert.equal(explain(board('1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12'), goal).solvable, true);
});

test('exactly the reachable boards of 2x2 and 3x2 are solvable', () => {
  for (const [size, reached] of [['2x2', 12], ['3x2', 360]]) {
    const goal = goalOf(null, parseSize(size));
    const seen = new Map([[formatBoard(goal), goal]]);
    for (const at of seen.values()) for (const letter of 'udlr') {
      const next = walk(at, letter);
      if (next) seen.set(formatBoard(next), next);
    }
    assert.equal(seen.size, reached);
    for (const at of seen.values()) assert.ok(explain(at, goal).solvable);
    const [a, b] = [1, 2];
    for (const at of seen.values()) assert.ok(!explain(exchange(at, a, b), goal).solvable);
  }
});

test('the goals that an unsolvable board can reach are listed', () => {
  const goals = (text, goal = null) => solvableGoals(board(text), goalOf(goal, board(text))).map(([name]) => name);
  assert.deepEqual(goals('1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0'), ['blank-first', 'blank-top-right', 'snake']);
  assert.deepEqual(goals('1 2 3/4 5 6/8 7 0'), ['columns', 'snake', 'spiral']);
  assert.deepEqual(goals('1 2 3/4 5 6/8 7 0', '1 2 3/* * */* * *'), [], 'none for a partial goal');
  const line = { width: 4, height: 1, cells: [2, 1, 3, 0] };
  assert.deepEqual(solvableGoals(line, goalOf(null, line)), []);
});

test('two tiles that may lie anywhere make every board solvable', () => {
  assert.ok(explain(board('1 2 3/4 5 6/8 7 0'), goalOf('1 2 3/* * */* * *', parseSize('3x3'))).solvable);
  assert.ok(!explain(board('1 2 3/4 5 6/8 7 0'), goalOf('1 2 3/4 5 6/* 8 0', parseSize('3x3'))).solvable);
});

test('a game undoes and redoes a whole slide', () => {
  const game = new Game(board('1 2 3/4 5 6/0 7 8'), goalOf(null, parseSize('3x3')));
  assert.ok(!game.play('d'));
  assert.ok(game.play('rr') && game.isSolved);
  assert.deepEqual(game.last, { tile: 8, letter: 'r' });
  assert.deepEqual(game.times, [0, 0]);
  assert.ok(game.undo() && !game.undo());
  assert.equal(formatBoard(game.board), '1 2 3/4 5 6/0 7 8');
  assert.ok(game.redo(700) && game.isSolved && game.moves === 'rr');
  assert.deepEqual(game.times, [700, 700]);
  assert.equal(lastMoved(game.start, undefined), null);
});

test('a pattern table is exact for its tiles and admissible', () => {
  const goal = goalOf(null, parseSize('3x3'));
  const tables = [[1, 2, 3, 4], [5, 6, 7, 8]].map((tiles) => new PatternTable(goal, tiles));
  for (const table of tables) while (!table.isWhole) table.grow();
  assert.deepEqual(tables.map(({ size, layers }) => [size, layers[0]]), [[3024, 1], [3024, 1]]);
  const estimate = (at) => tables.reduce((sum, table) => sum + table.lookUp(at), 0);
  assert.equal(estimate(goal), 0);
  assert.equal(estimate(board('1 2 3/4 5 6/7 0 8')), 1);
  // Every move changes the estimate by one at most, so it never exceeds the distance.
  let at = goal;
  for (let step = 0; step < 2000; step += 1) {
    const next = walk(at, 'udlr'[(step * step * 7 + (step >> 3)) % 4]);
    if (!next) continue;
    assert.ok(Math.abs(estimate(next) - estimate(at)) <= 1);
    assert.ok(estimate(next) >= manhattan(next, goal) && (estimate(next) - manhattan(next, goal)) % 2 === 0);
    at = next;
  }
  assert.equal(manhattan(board('8 6 7/2 5 4/3 0 1'), goal), 21);
});
