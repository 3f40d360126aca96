import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../engine/fault.js';
import { open } from '../engine/wasm.js';

globalThis.fetch = async () => null;
WebAssembly.compileStreaming = async () => ({});

let workers = 0;
let ended = 0;
/** A worker whose module fails at its second call, and at each call named `stop`. */
globalThis.Worker = class {
  constructor() {
    workers += 1;
    this.calls = 0;
  }

  postMessage({ name }) {
    this.calls += 1;
    const stops = this.calls === 2 || name === 'stop';
    const message = name === 'fault' ? { kind: 'fault', data: '{"error":"no"}' } : { kind: 'answer', data: `{"calls":${this.calls}}` };
    queueMicrotask(() => this.onmessage({ data: stops ? { kind: 'failure', data: '{"error":"stopped"}' } : message }));
  }

  terminate() {
    ended += 1;
  }
};

test('a worker is reused, and replaced once its module has failed', async () => {
  const engine = open();
  assert.deepEqual(await engine.call('solve', {}), { calls: 1 });
  assert.equal(workers, 1);
  assert.deepEqual(await engine.call('solve', {}), { calls: 1 });
  assert.deepEqual([workers, ended], [2, 1]);
});

test('a module that fails at once is an error, and its worker is terminated', async () => {
  const before = ended;
  await assert.rejects(open().call('stop', {}), (error) => error instanceof Fault && error.message === 'stopped');
  assert.equal(ended, before + 1);
});

test('a worker that reports an error is reused', async () => {
  const [engine, before] = [open(), workers];
  await assert.rejects(engine.call('fault', {}), /no/);
  assert.deepEqual(await engine.call('solve', {}), { calls: 1 });
  assert.equal(workers, before + 2);
});

test('a module that cannot be loaded is an error', async () => {
  WebAssembly.compileStreaming = async () => { throw new Error('404'); };
  await assert.rejects(open().call('solve', {}), /could not be loaded/);
});
