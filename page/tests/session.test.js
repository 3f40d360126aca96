import assert from 'node:assert/strict';
import test from 'node:test';
import { kindOf, kindTitle, parseKind } from '../puzzle/kind.js';
import { droppedAtEachEnd, fallenBests, overOptimal, runningAverages, statistics, valueText } from '../puzzle/session.js';

const solve = (ms, length = 20, dnf = false) => ({ ms, length, dnf });
const DNF = { ms: 1000, length: 20, dnf: true };
const row = (stats, name) => stats.rows.find((one) => one.name === name);

test('ao5 drops the best and the worst, a DNF is the worst, two DNFs make it a DNF', () => {
  const times = [12_000, 10_000, 11_000, 15_000, 13_000].map((ms) => solve(ms));
  // Without 10 and 15: (12 + 11 + 13) / 3.
  assert.deepEqual(row(statistics(times, 'time'), 'ao5'), { name: 'ao5', current: 12_000, best: 12_000 });
  // Without 10 and the DNF: (12 + 11 + 13) / 3.
  assert.equal(row(statistics(times.with(3, DNF), 'time'), 'ao5').current, 12_000);
  assert.equal(row(statistics(times.with(3, DNF).with(0, DNF), 'time'), 'ao5').current, Infinity);
  assert.equal(row(statistics(times.slice(1), 'time'), 'ao5').current, null);
});

test('averages drop 5% at each end, rounded up', () => {
  assert.deepEqual([5, 12, 50, 100].map(droppedAtEachEnd), [1, 1, 3, 5]);
  // 1 to 50 without 1 to 3 and 48 to 50 has the mean 25.5; then 51 replaces 1: 2 to 51 has 26.5.
  const averages = runningAverages(Array.from({ length: 51 }, (_, place) => place + 1), 50);
  assert.deepEqual(averages.slice(48), [null, 25.5, 26.5]);
  // The five DNFs of 100 are dropped; a sixth is not.
  const values = Array.from({ length: 100 }, (_, place) => (place < 5 ? Infinity : 7));
  assert.equal(runningAverages(values, 100).at(-1), 7);
  assert.equal(runningAverages(values.with(50, Infinity), 100).at(-1), Infinity);
});

test('the best average may be an earlier one, and equal times leave the window in turn', () => {
  const times = [3, 3, 3, 3, 3, 9, 9, 9, 9, 9].map((ms) => solve(10 * ms));
  assert.deepEqual(row(statistics(times, 'time'), 'ao5'), { name: 'ao5', current: 90, best: 30 });
  // Windows: 33333, 33339, 33399 (3+3+9)/3, 33999 (3+9+9)/3, 39999, 99999.
  assert.deepEqual(runningAverages(times.map(({ ms }) => ms / 10), 5).slice(4), [3, 3, 5, 7, 9, 9]);
});

test('more moves per second are better, and a DNF is the worst there too', () => {
  // 2, 4, 1, 5 and 3 moves per second; without 1 and 5 the mean is 3.
  const solves = [10, 20, 5, 25, 15].map((length) => solve(5000, length));
  assert.deepEqual(row(statistics(solves, 'tps'), 'single'), { name: 'single', current: 3, best: 5 });
  assert.equal(row(statistics(solves, 'tps'), 'ao5').current, 3);
  // The DNF is dropped instead of 1: (2 + 3 + 1) / 3 if it replaces 4.
  assert.equal(row(statistics(solves.with(1, DNF), 'tps'), 'ao5').current, 2);
  assert.equal(row(statistics(solves, 'moves'), 'single').best, 5);
});

test('mean and deviation are those of the sample without DNFs', () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares sum to 32, deviation sqrt(32 / 7).
  const stats = statistics([...[2, 4, 4, 4, 5, 5, 7, 9].map((ms) => solve(10 * ms)), DNF], 'time');
  assert.deepEqual([stats.count, stats.dnfs, stats.mean], [9, 1, 50]);
  assert.ok(Math.abs(stats.deviation / 10 - Math.sqrt(32 / 7)) < 1e-12);
  assert.deepEqual([statistics([], 'time').mean, statistics([DNF], 'time').mean, statistics([solve(4)], 'time').deviation], [null, null, null]);
});

test('times are cut to hundredths before averages are taken, as they are shown', () => {
  // 0.489 s is shown as 0.48; five of them have the average 0.48, and a sixth with 0.481 s is no new best.
  const times = [489, 489, 489, 489, 489].map((ms) => solve(ms));
  const before = statistics(times, 'time');
  assert.deepEqual([before.mean, before.deviation, row(before, 'ao5').current], [480, 0, 480]);
  assert.equal(valueText('time', before.mean, true), '0.48');
  assert.deepEqual(fallenBests(before, statistics([...times, solve(481)], 'time'), 'time'), []);
});

test('solves without a number of moves are left out of moves and rates', () => {
  const solves = [solve(5000, null), solve(5000, 10), solve(0, 1)];
  assert.equal(statistics(solves, 'moves').mean, 5.5);
  assert.equal(statistics(solves, 'tps').mean, 2);
});

test('a best falls only if there was one and the new one is better', () => {
  const names = (times, measure) => fallenBests(statistics(times.slice(0, -1), measure), statistics(times, measure), measure).map(({ name }) => name);
  const times = [12, 10, 11, 15, 13].map((ms) => solve(10 * ms));
  assert.deepEqual(names(times, 'time'), []);
  // 10 11 15 13 11.5: without 10 and 15 the average is 11.83, below 12; then 9 is the best single too.
  assert.deepEqual(names([...times, solve(115)], 'time'), ['ao5']);
  assert.deepEqual(names([...times, solve(90)], 'time'), ['single', 'ao5']);
  assert.deepEqual(names([...times, solve(100)], 'time').includes('single'), false);
  assert.deepEqual(names([solve(100)], 'time'), []);
});

test('moves over the optimum are those of solves whose optimum is known', () => {
  assert.equal(overOptimal([solve(1)]), null);
  assert.deepEqual(overOptimal([{ ...solve(1, 30), optimal: 20 }, { ...solve(1, 24), optimal: 20 }, { ...DNF, optimal: 1 }, solve(1)]), { count: 2, mean: 7 });
});

test('single times are cut off and averages are rounded', () => {
  assert.equal(valueText('time', 12_349), '12.34');
  assert.equal(valueText('time', 12_345, true), '12.35');
  assert.equal(valueText('time', 59_999, true), '1:00.00');
  assert.equal(valueText('time', 62_340), '1:02.34');
  assert.deepEqual([valueText('time', Infinity), valueText('tps', -Infinity), valueText('moves', null)], ['DNF', 'DNF', '–']);
  assert.deepEqual([valueText('moves', 80), valueText('moves', 80, true), valueText('tps', 5)], ['80', '80.0', '5.00']);
});

test('kinds are written and read', () => {
  const sizes = [{ width: 2, height: 2 }, { width: 3, height: 4 }];
  for (const kind of [
    { mode: 'single', sizes: [sizes[1]], goalText: '' }, { mode: 'relay', sizes, goalText: 'snake' },
    { mode: 'marathon', sizes: [sizes[0], sizes[0], sizes[0]], goalText: '' }, { mode: 'blindfold', sizes: [sizes[0]], goalText: '0 2/1 3' },
  ]) assert.deepEqual(parseKind(kindOf(kind)), kind);
  assert.equal(kindOf({ sizes }), '2x2 blank-last');
  assert.equal(kindTitle(parseKind('relay 2x2+3x3+4x4 snake')), 'relay of 3, 2 × 2 to 4 × 4, snake');
  for (const bad of ['', '4x4', '99x4 blank-last', '2x2+3x3 blank-last', 'marathon 0 4x4 blank-last', 'marathon 999 4x4 blank-last', '4x4 north']) assert.equal(parseKind(bad), null, bad);
  const written = (goalText) => kindOf({ sizes: [{ width: 3, height: 3 }], goalText });
  assert.deepEqual(['1 2 3 / 4 5 6 / 7 8 0', '1 2 3\n4 5 6\n7 0 8', '1 2 3/4 * */7 * *'].map(written), ['3x3 blank-last', '3x3 1 2 3/4 5 6/7 0 8', '3x3 first-row-column'], 'however a goal is written');
});
