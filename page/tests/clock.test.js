import assert from 'node:assert/strict';
import test from 'node:test';
import { Clock } from '../views/clock.js';

test('a clock runs from its start, pauses, and stops at whole milliseconds', (context) => {
  let now = 1000;
  context.mock.method(performance, 'now', () => now);
  const clock = new Clock();
  clock.start();
  now += 250;
  clock.start();
  assert.equal(clock.elapsed, 250);
  clock.pause();
  now += 5000;
  assert.deepEqual([clock.elapsed, clock.isRunning], [250, false]);
  clock.start();
  now += 100.4;
  assert.equal(clock.stop(), 350);
  clock.start();
  now += 100;
  assert.deepEqual([clock.elapsed, clock.isRunning, clock.isStopped], [350, false, true]);
  clock.reset(70);
  clock.start();
  now += 5;
  assert.equal(clock.elapsed, 75);
});

test('inspection ends with the start of the clock, and its time does not count', (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const clock = new Clock();
  assert.equal(clock.inspection, null);
  clock.inspect(15_000);
  now = 4000;
  assert.deepEqual([clock.inspection, clock.elapsed, clock.isRunning], [11_000, 0, false]);
  clock.start();
  now = 4500;
  assert.deepEqual([clock.inspection, clock.elapsed], [null, 500]);
});
