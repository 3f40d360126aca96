import assert from 'node:assert/strict';
import test from 'node:test';
import { formatBoard } from '../puzzle/board.js';
import { formatLink, parseLink } from '../puzzle/link.js';
import { doubledManhattan } from '../puzzle/matrix.js';
import { chipsOf, inverse, lengthIn, toTileLetters, writeMoves } from '../puzzle/moves.js';
import { parseMoves } from '../puzzle/read_moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { boardBefore, boardOfSlot, movesDue, readReplay, replayIn, replayLink, sizeBehind } from '../puzzle/replay.js';
import { distancesOf, lostText, spanOf } from '../puzzle/review.js';
import { PRESETS, readRows, rowName, writeRows } from '../puzzle/rows.js';

const { board } = parseBoard('2 3 4/1 5 0/7 6 8');

test('moves are formatted in every notation', () => {
  assert.equal(writeMoves(board, 'ulldrr', 'tile', true), 'DR2UL2');
  assert.equal(writeMoves(board, 'ulldrr', 'blank', false), 'ulldrr');
  assert.equal(writeMoves(board, 'ulldrr', 'numbers', false), '4 3 2 1 5 4');
  assert.equal(writeMoves(board, 'ull', 'numbers', true), '4 2');
  assert.equal(writeMoves(board, 'ull', 'coordinates', true), '1,3 1,1');
  assert.deepEqual(chipsOf(board, 'ull', 'tile').map(({ text, shown, from }) => [text, shown, from]), [['D', 1, 0], ['R', 2, 1]]);
});

test('moves are parsed in every notation', () => {
  for (const text of ['ulldrr', 'ul2dr2', 'DR2UL2', '4 3 2 1 5 4', '4 2 1 4', '1,3 1,2 1,1 2,1 2,2 2,3']) assert.equal(parseMoves(board, text), 'ulldrr', text);
  assert.throws(() => parseMoves(board, 'uuu'), /Move 2 is impossible/);
  assert.throws(() => parseMoves(board, '1 4'), /Move 1 is impossible: 1 is in line|Move 2 is impossible/);
  assert.throws(() => parseMoves(board, 'hello'), /not a list of moves/);
  assert.throws(() => parseMoves(board, 'u999999'), /100,000/);
});

test('moves are inverted and counted', () => {
  assert.equal(inverse('ull'), 'rrd');
  assert.equal(toTileLetters('udlr'), 'DURL');
  assert.deepEqual([lengthIn('stm', 'ulldrr'), lengthIn('mtm', 'ulldrr')], [6, 4]);
});

test('links survive a round trip', () => {
  const params = { board: '2 3 4/1 5 0/7 6 8', goal: 'snake', at: 3, empty: '', none: null };
  const link = formatLink('watch', params);
  assert.equal(link, '#watch?board=2+3+4/1+5+0/7+6+8&goal=snake&at=3');
  assert.deepEqual(parseLink(link), { view: 'watch', params: { board: params.board, goal: 'snake', at: '3' } });
  assert.deepEqual(parseLink(''), { view: '', params: {} });
});

test('rows of a race survive a round trip through links', () => {
  for (const rows of Object.values(PRESETS)) assert.deepEqual(readRows(writeRows(rows)), rows.map((row) => ({ heuristic: undefined, closed: undefined, weight: undefined, ...row })));
  assert.equal(rowName({ algorithm: 'wastar', heuristic: 'manhattan', closed: 'hashed', weight: 2 }), 'wastar/manhattan/hashed/w2');
  assert.equal(readRows('<b>'), null);
});

test('replay links of slidysim are created and read', async () => {
  const link = await replayLink(board, 'ulldrr', { rate: 4 });
  assert.match(link, /^https:\/\/slidysim\.github\.io\/replay\?r=/);
  const replay = await readReplay(replayIn(link));
  assert.equal(formatBoard(replay.board), '2 3 4/1 5 0/7 6 8');
  assert.equal(replay.moves, 'ulldrr');
  assert.equal(replay.times[0], 250);
  const played = await readReplay(replayIn(await replayLink(board, 'ulldrr', { rate: 4, times: [0, 250, 250, 900, 1000, 1500] })));
  assert.deepEqual([played.moves, played.times], ['ulldrr', [0, 250, 0, 650, 100, 500]]);
  await assert.rejects(readReplay('AAAA'), /not a replay link/);
  assert.equal(replayIn('2 3 4/1 5 0/7 6 8'), null);
});

test('the board is derived from moves that solve it', () => {
  assert.deepEqual(sizeBehind('DR2U2LDLUR2DL2URDLU'), { width: 3, height: 3 });
  assert.equal(formatBoard(boardBefore('LU', { width: 3, height: 3 })), '1 2 3/4 0 5/7 8 6');
  assert.throws(() => boardBefore('LLLL', { width: 3, height: 3 }), /do not end at the goal/);
});

test('the solver slot reads rows and tiles with the same separator', () => {
  assert.equal(formatBoard(boardOfSlot('5_3_8_9_0_2_4_1_7_10_14_13_12_11_6_15').board), '5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15');
});

const review = (segments) => ({ metric: 'stm', length: 6, shortest: 4, segments });

test('a review determines the distance after each move', () => {
  assert.deepEqual(distancesOf(review([{ number: 2, played: ['r'], before: 3, after: 4 }])), [4, 3, 4, 3, 2, 1, 0]);
  assert.deepEqual(distancesOf(review([{ number: 1, played: ['r', 'u'], before: 4, after: 4 }])).slice(0, 3), [4, 4, 4]);
  assert.equal(distancesOf(review([{ number: 2, played: ['r'], before: null, after: null }])), null);
  assert.deepEqual(spanOf({ metric: 'mtm' }, { number: 2, played: ['d'] }, 'uuddr'), [2, 4]);
  assert.equal(lostText({ lost: null, lost_at_least: 2, lost_at_most: 5 }), '2 to 5');
});

test('the example matrix is twice the Manhattan distance', () => {
  assert.equal(doubledManhattan({ width: 2, height: 2 }), '0 2 2 4\n2 0 4 2\n2 4 0 2\n4 2 2 0');
});

test('playback keeps the time, however late its frames are', () => {
  const wait = () => 10;
  const state = { at: 3, due: 100, count: 20 };
  assert.deepEqual(movesDue(99, state, wait), { at: 3, due: 100 });
  assert.deepEqual(movesDue(100, state, wait), { at: 4, due: 110 });
  assert.deepEqual(movesDue(145, state, wait), { at: 8, due: 150 });
  assert.deepEqual(movesDue(9999, state, wait), { at: 20, due: 270 }, 'the last move ends it');
  // Frames at any times: 100 moves take 1000 ms.
  let playback = { at: 0, due: 10 };
  for (const now of [7, 31, 31, 250, 251, 799, 990]) playback = movesDue(now, { ...playback, count: 100 }, wait);
  assert.equal(playback.at, 99);
  assert.equal(movesDue(1000, { ...playback, count: 100 }, wait).at, 100);
  assert.deepEqual(movesDue(50, { at: 0, due: 5, count: 4 }, (move) => [5, 0, 30, 40][move]), { at: 3, due: 75 }, 'moves have their own delays');
});
