import assert from 'node:assert/strict';
import test from 'node:test';
import { HIDDEN_MS, whileVisible } from '../engine/hidden.js';

const settle = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });

/** Starts a search in a tab; returns what happens to it, and functions that hide and show the tab. */
function tab(t, state = 'visible', signal = undefined) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.document = Object.assign(new EventTarget(), { visibilityState: state });
  const become = (next) => {
    document.visibilityState = next;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const searches = [];
  const result = whileVisible((own) => new Promise((resolve, reject) => {
    own.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    searches.push({ signal: own, resolve, reject });
  }), signal);
  return { become, searches, result, tick: (ms) => t.mock.timers.tick(ms) };
}

test('a search pauses when its tab has been hidden for a while, and starts again when it is visible', async (t) => {
  const { become, searches, result, tick } = tab(t);
  become('hidden');
  tick(HIDDEN_MS - 1);
  become('visible');
  tick(HIDDEN_MS);
  assert.equal(searches[0].signal.aborted, false, 'hidden for too short a time');
  become('hidden');
  tick(HIDDEN_MS);
  assert.equal(searches[0].signal.aborted, true);
  await settle();
  assert.equal(searches.length, 1, 'nothing runs while the tab is hidden');
  become('visible');
  await settle();
  searches[1].resolve('found');
  assert.equal(await result, 'found');
});

test('a search that begins in a hidden tab pauses too, and can be cancelled meanwhile', async (t) => {
  const cancel = new AbortController();
  const { searches, result, tick } = tab(t, 'hidden', cancel.signal);
  tick(HIDDEN_MS);
  await settle();
  assert.equal(searches[0].signal.aborted, true);
  cancel.abort();
  await assert.rejects(result, { name: 'AbortError' });
});

test('errors of a search are not repeated', async (t) => {
  const { searches, result } = tab(t);
  searches[0].reject(new Error('no'));
  await assert.rejects(result, /no/);
  assert.equal(searches.length, 1);
});
