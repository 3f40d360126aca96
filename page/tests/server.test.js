import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../engine/engine.js';
import { open } from '../engine/server.js';

/** An answer that comes in the pieces given. */
function answer(pieces, { status = 200, type = 'text/event-stream', headers = {} } = {}) {
  const encoder = new TextEncoder();
  const body = new ReadableStream({ start(control) { pieces.forEach((piece) => control.enqueue(encoder.encode(piece))); control.close(); } });
  return new Response(body, { status, headers: { 'content-type': type, ...headers } });
}

function serve(...answers) {
  globalThis.fetch = async () => answers.shift();
}

test('events are heard in turn, wherever the stream is cut', async () => {
  serve(answer(['event: incumb', 'ent\ndata: {"length":3}\n', '\nevent: result\nda', 'ta: {"moves":"rd"}\n\n']));
  const heard = [];
  const result = await open().call('solve', {}, { onEvent: (name, data) => heard.push([name, data.length]) });
  assert.deepEqual(heard, [['incumbent', 3]]);
  assert.equal(result.moves, 'rd');
});

test('a fault keeps its field and its place', async () => {
  serve(answer(['{"error":"no","field":"board","from":2,"to":3}'], { status: 422, type: 'application/json' }));
  await assert.rejects(open().call('solve', {}), (error) => error instanceof Fault && error.message === 'no' && error.field === 'board' && error.from === 2 && error.status === 422);
});

test('a fault in the stream, and a stream that is cut off, are faults', async () => {
  serve(answer(['event: error\ndata: {"error":"too large"}\n\n']));
  await assert.rejects(open().call('solve', {}, { onEvent() {} }), /too large/);
  serve(answer(['event: progress\ndata: {}\n\n']));
  await assert.rejects(open().call('solve', {}, { onEvent() {} }), /before it was complete/);
});

test('a busy server is waited for, and the place in line is told', async () => {
  serve(answer(['{"error":"busy","place":3}'], { status: 429, type: 'application/json', headers: { 'retry-after': '0.01' } }), answer(['{"moves":""}'], { type: 'application/json' }));
  const heard = [];
  await open().call('solve', {}, { onEvent: (...event) => heard.push(event) });
  assert.deepEqual(heard, [['busy', { place: 3 }]]);
});

test('a server that is not there is a fault', async () => {
  globalThis.fetch = async () => { throw new TypeError('failed'); };
  await assert.rejects(open().call('solve', {}), /The server does not answer/);
});

test('a server that does not answer is tried again, and the reader is told', async (t) => {
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
