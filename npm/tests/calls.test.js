// The functions of the installed package.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import * as loyd from 'loyd';
import { CALLS } from 'loyd/engine/calls.js';

const { Fault, anytime, batch, close, hint, list, solve } = loyd;
const run = promisify(execFile);

const EIGHT = '2 3 4/1 5 0/7 6 8';
/** The first of Korf's boards: 57 moves. */
const FIFTEEN = ['14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3', { goal: 'blank-first' }];
/** No search proves its solution in a reasonable time. */
const TWENTY_FOUR = '24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0';
const FOREVER = { quality: 'optimal' };

/** Runs a program in the project, until it ends by itself. */
const program = (text, [name, ...args] = [process.execPath, '--input-type=module', '--eval']) => run(name, [...args, text], { timeout: 120_000 });

test('there is a function for each call', () => {
  assert.deepEqual(Object.keys(CALLS).filter((name) => typeof loyd[name] !== 'function'), []);
});

test('each call has an answer', async () => {
  assert.equal((await solve(EIGHT)).moves, 'ullddrurdllurrdlurd');
  assert.equal((await loyd.explain(EIGHT)).distance, 19);
  assert.deepEqual((await hint('1 2 3/4 0 5/7 8 6')).best, ['r']);
  assert.equal((await loyd.review('1 2 3/4 0 5/7 8 6', 'lrrd', { metric: 'stm' })).reviews[0].lost, 2);
  assert.equal((await loyd.optimize('1 2 3/4 0 5/7 8 6', 'lrrd')).moves, 'rd');
  assert.equal((await loyd.scramble('3x3', { seed: 1, number: 2, length: 20 })).boards.length, 2);
  assert.equal((await loyd.convert('ullddr', 'numbers', { board: EIGHT })).text, '4 3 2 1 7 6');
  assert.equal((await loyd.compare({ board: EIGHT, rows: [{ algorithm: 'astar', heuristic: 'manhattan' }, { algorithm: 'bfs' }] })).summary.length, 2);
  assert.equal((await loyd.trace(EIGHT, { max_events: 5 })).events.length, 5);
  assert.equal((await loyd.census('3x2')).states, 360);
  assert.ok((await list('goals')).some(({ name }) => name === 'spiral'));
});

test('boards may be texts, lists, rows and typed arrays', async () => {
  const tiles = [2, 3, 4, 1, 5, 0, 7, 6, 8];
  const forms = [EIGHT, '234150768', '[[2,3,4],[1,5,0],[7,6,8]]', tiles, [[2, 3, 4], [1, 5, null], [7, 6, 8]], new Uint8Array(tiles), ['2', '3', '4', '1', '5', 'x', '7', '6', '8']];
  for (const board of forms) assert.equal((await solve(board)).length, 19, String(board));
  assert.equal((await solve(EIGHT, { goal: [[1, 2, 3], [8, 0, 4], [7, 6, 5]] })).status, (await solve(EIGHT, { goal: '1 2 3/8 0 4/7 6 5' })).status);
});

test('better and better solutions come before the answer', async () => {
  const found = [];
  for await (const one of anytime(...FIFTEEN)) found.push(one);
  const last = found.pop();
  assert.deepEqual([last.final, last.status, last.optimal, last.length], [true, 'solved', true, 57]);
  assert.ok(found.length > 0);
  assert.ok(found.every(({ final, moves, length }) => final === false && moves.length === length));
  assert.ok(found.every(({ length }, place) => place === 0 || length < found[place - 1].length));
});

test('tables are kept between calls, until they are closed', async () => {
  close();
  const tables = [];
  for (const again of [false, true, false]) {
    if (!again) close();
    tables.push((await solve(...FIFTEEN)).tables_ns ?? 0);
  }
  const [first, second, third] = tables;
  assert.ok(first > 10 * second && third > 10 * second, tables.join(' '));
});

test('errors have the message of the engine', async () => {
  const error = await solve('1 2 3/4 5 6/7 7 0').catch((error) => error);
  assert.ok(error instanceof Fault && error instanceof Error);
  assert.deepEqual([error.name, error.field, error.from, error.to], ['Fault', 'board', 14, 15]);
  assert.match(error.message, /^tile 7 appears twice/);
  await assert.rejects(solve(EIGHT, { metric: 'none' }), { name: 'Fault', field: 'metric', message: /there is no metric `none`/ });
  await assert.rejects(solve(EIGHT, { depth: 1 }), { name: 'Fault', field: 'depth', message: /does not accept the field `depth`/ });
  await assert.rejects(solve(), { name: 'Fault', field: 'board' });
  await assert.rejects(anytime('1 2 2 0').next(), { name: 'Fault', field: 'board' });
});

test('events are reported while a search runs', async () => {
  const events = [];
  await solve(...FIFTEEN.slice(0, 1), { ...FIFTEEN[1], onEvent: ({ event, expanded }) => events.push([event, typeof expanded]) });
  assert.ok(events.some(([event]) => event === 'stage'));
  assert.ok(events.every(([, type]) => type === 'number'));
});

test('a batch yields a record for each board', async () => {
  const records = [];
  for await (const { line, status, length } of batch([EIGHT, '1 2 2 3', [1, 2, 3, 4, 5, 6, 7, 0, 8]])) records.push([line, status, length]);
  assert.deepEqual(records, [[1, 'solved', 19], [2, 'invalid', null], [3, 'solved', 1]]);
});

test('a cancelled call is rejected, and others go on', async () => {
  const abort = new AbortController();
  const others = Array.from({ length: 12 }, () => solve(EIGHT));
  const call = solve(TWENTY_FOUR, { ...FOREVER, signal: abort.signal, onEvent: () => abort.abort() });
  await assert.rejects(call, { name: 'AbortError' });
  await assert.rejects(solve(EIGHT, { signal: abort.signal }), { name: 'AbortError' });
  await assert.rejects(anytime(TWENTY_FOUR, { signal: abort.signal }).next(), { name: 'AbortError' });
  assert.ok((await Promise.all(others)).every(({ length }) => length === 19));
});

test('a call that waits for a worker can be cancelled', async () => {
  const abort = new AbortController();
  const busy = Array.from({ length: 4 }, () => solve(TWENTY_FOUR, { ...FOREVER, signal: abort.signal }));
  const waiting = solve(EIGHT, { signal: abort.signal });
  abort.abort();
  for (const { reason } of await Promise.allSettled([...busy, waiting])) assert.equal(reason.name, 'AbortError');
  assert.equal((await solve(EIGHT)).length, 19);
});

// A running search would keep its process alive beyond the time limit of the test.
test('a search ends when it is cancelled, and when its reader stops', async () => {
  const { stdout } = await program(`
    import { anytime, solve } from 'loyd';
    const board = '${TWENTY_FOUR}';
    const abort = new AbortController();
    const options = { quality: 'optimal', signal: abort.signal, onEvent: () => abort.abort() };
    await solve(board, options).catch(({ name }) => console.log(name));
    for await (const { length } of anytime(board, { max_ms: 500_000 })) {
      console.log(length > 100);
      break;
    }`);
  assert.equal(stdout, 'AbortError\ntrue\n');
});

test('Deno runs the package', async (context) => {
  const deno = join(process.env.LOYD_PROGRAMS, 'deno');
  if (spawnSync(deno, ['--version']).status !== 0) return context.skip('Deno is not installed');
  const { stdout } = await program(`
    import { anytime, Fault, solve } from 'loyd';
    console.log((await solve([[2, 3, 4], [1, 5, 0], [7, 6, 8]])).length);
    console.log(await solve('1 2 2').catch((error) => error instanceof Fault));
    const abort = new AbortController();
    const options = { quality: 'optimal', signal: abort.signal, onEvent: () => abort.abort() };
    await solve('${TWENTY_FOUR}', options).catch(({ name }) => console.log(name));
    for await (const { final, length } of anytime('${TWENTY_FOUR}', { max_ms: 500_000 })) {
      console.log(final, length > 100);
      break;
    }`, [deno, 'eval']);
  assert.equal(stdout, '19\ntrue\nAbortError\nfalse true\n');
});
