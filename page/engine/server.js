// Engine on a server: fetch, and server-sent events read from the body of the answer.
import { Fault } from './engine.js';

const AT = 'api/v1/';
const BUSY_SECONDS = 2;
const OFFLINE_SECONDS = 5;
/** Number of attempts to make a call while the server does not answer. */
const MAX_TRIES = 12;

export function open() {
  const lists = new Map();
  const list = (name) => {
    if (!lists.has(name)) lists.set(name, fetchJson(`${AT}${name}`));
    return lists.get(name);
  };
  return { kind: 'server', list, call };
}

async function fetchJson(address) {
  const answer = await request(address);
  return answer.json();
}

/**
 * Makes a call. While the server is busy or does not answer, waits and tries again, and reports this with the events
 `busy` {place} and `offline` {seconds}.
 */
async function call(name, body, { onEvent, signal } = {}) {
  const headers = { 'content-type': 'application/json', accept: onEvent ? 'text/event-stream' : 'application/json' };
  for (let tries = 1; ; tries += 1) {
    const answer = await request(AT + name, { method: 'POST', headers, body: JSON.stringify(body), signal }, onEvent && tries < MAX_TRIES);
    if (!answer) {
      onEvent('offline', { seconds: OFFLINE_SECONDS });
      await pause(OFFLINE_SECONDS, signal);
    } else if (answer.status === 429) {
      const { place = null } = await answer.json().catch(() => ({}));
      onEvent?.('busy', { place });
      await pause(Number(answer.headers.get('retry-after')) || BUSY_SECONDS, signal);
    } else return read(answer, onEvent);
  }
}

/** Returns a successful or busy answer. Returns null if there is no answer and the caller will try again. */
async function request(address, options, mayFail = false) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    if (mayFail) return null;
    throw new Fault({ error: 'The server does not answer.', help: 'Your board is safe. Try again in a moment.' });
  }
  if (answer.ok || answer.status === 429) return answer;
  const data = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  throw new Fault(data, answer.status);
}

async function read(answer, onEvent) {
  if (!(answer.headers.get('content-type') ?? '').includes('event-stream')) return answer.json();
  for await (const { event, data } of events(answer.body)) {
    if (event === 'result') return data;
    if (event === 'error') throw new Fault(data);
    onEvent?.(event, data);
  }
  throw new Fault({ error: 'The server ended the answer before it was complete.', help: 'Your board is safe. Try again.' });
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value.replaceAll('\r', '')).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = /^event: ?(.*)$/m.exec(block)?.[1];
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join('\n');
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('cancelled', 'AbortError'));
    }, { once: true });
  });
}
