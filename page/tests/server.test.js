import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../engine/fault.js';
import { open } from '../engine/server.js';

/** Returns an answer that arrives in the given pieces. */
function answer(pieces, { status = 200, type = 'text/event-stream', headers = {} } = {}) {
  const encoder = new TextEncoder();
  const body = new ReadableStream({ start(control) { pieces.forEach((piece) => control.enqueue(encoder.encode(piece))); control.close(); } });
  return new Response(body, { status, headers: { 'content-type': type, ...headers } });
}

function serve(...answers) {
  globalThis.fetch = async () => answers.shift();
}

test('events are parsed in order, however the stream is split', async () => {
  serve(answer(['event: incumb', 'ent\ndata: {"length":3}\n', '\nevent: result\nda', 'ta: {"moves":"rd"}\n\n']));
  const heard = [];
  const result = await open().call('solve', {}, { onEvent: (name, data) => heard.push([name, data.length]) });
  assert.deepEqual(heard, [['incumbent', 3]]);
  assert.equal(result.moves, 'rd');
});

test('an error keeps its field and location', async () => {
  serve(answer(['{"error":"no","field":"board","from":2,"to":3}'], { status: 422, type: 'application/json' }));
  await assert.rejects(open().call('solve', {}), (error) => error instanceof Fault && error.message === 'no' && error.field === 'board' && error.from === 2 && error.status === 422);
});

test('an error event and a truncated stream are errors', async () => {
  serve(answer(['event: error\ndata: {"error":"too large"}\n\n']));
  await assert.rejects(open().call('solve', {}, { onEvent() {} }), /too large/);
  serve(answer(['event: progress\ndata: {}\n\n']));
  await assert.rejects(open().call('solve', {}), /before it was complete/);
});

test('a call waits for a busy server and reports its place in line', async () => {
  serve(answer(['{"error":"busy","place":3}'], { status: 429, type: 'application/json', headers: { 'retry-after': '0.01' } }), answer(['{"moves":""}'], { type: 'application/json' }));
  const heard = [];
  await open().call('solve', {}, { onEvent: (...event) => heard.push(event) });
  assert.deepEqual(heard, [['busy', { place: 3 }]]);
});

test('an unreachable server is an error', async () => {
  globalThis.fetch = async () => { throw new TypeError('failed'); };
  await assert.rejects(open().call('solve', {}), /The server does not answer/);
});

test('calls to a server that does not answer are repeated, and that is reported', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let tries = 0;
  globalThis.fetch = async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('failed');
    return answer(['{"moves":"rd"}'], { type: 'application/json' });
  };
  const heard = [];
  const solved = open().call('solve', {}, { onEvent: (...event) => heard.push(event) });
  await new Promise(setImmediate);
  assert.deepEqual(heard, [['offline', { seconds: 5 }]]);
  t.mock.timers.tick(5000);
  assert.equal((await solved).moves, 'rd');
});

/** Starts a search and returns the names of its events; each `again()` lets the pause of a retry pass. */
function search(t, signal) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const heard = [];
  const solved = open().call('solve', {}, { onEvent: (name) => heard.push(name), signal });
  const settle = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });
  const again = async () => {
    await settle();
    t.mock.timers.tick(5000);
  };
  return { heard, solved, again, settle };
}

test('a search continues after its server has died in the middle, was not there, and is back', async (t) => {
  const broken = new ReadableStream({ pull(control) {
    if (this.isSent) control.error(new TypeError('network error'));
    else control.enqueue(new TextEncoder().encode('event: incumbent\ndata: {"length":5}\n\n'));
    this.isSent = true;
  } });
  const steps = [
    () => new Response(broken, { headers: { 'content-type': 'text/event-stream' } }), () => { throw new TypeError('refused'); }, () => answer(['{"error":"the server is shutting down"}'], { status: 503 }),
    () => answer(['event: incumbent\ndata: {"length":4}\n\n']), () => answer(['event: queued\ndata: {"place":2}\n\nevent: result\ndata: {"moves":"rd"}\n\n']),
  ];
  globalThis.fetch = async () => steps.shift()();
  const { heard, solved, again } = search(t);
  for (let pauses = 0; pauses < 4; pauses += 1) await again();
  assert.equal((await solved).moves, 'rd');
  assert.deepEqual(heard, ['incumbent', 'offline', 'offline', 'offline', 'incumbent', 'offline', 'busy']);
});

test('a search whose server stays away ends with an error after a minute', async (t) => {
  globalThis.fetch = async () => { throw new TypeError('refused'); };
  const { heard, solved, again } = search(t);
  const failed = assert.rejects(solved, /The server does not answer/);
  for (let pauses = 0; pauses < 12; pauses += 1) await again();
  await failed;
  assert.equal(heard.length, 11);
});

test('a search that waits for its server can be cancelled', async (t) => {
  globalThis.fetch = async () => { throw new TypeError('refused'); };
  const cancel = new AbortController();
  const { solved, settle } = search(t, cancel.signal);
  await settle();
  cancel.abort();
  await assert.rejects(solved, { name: 'AbortError' });
});
