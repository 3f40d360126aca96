// The engine on a server: fetch, and server-sent events read from the body of the answer.
import { Fault } from './engine.js';

const AT = 'api/v1/';
const RETRY_SECONDS = 2;

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

/** A call. While the server is busy it waits in line and tells so by the event `busy`. */
async function call(name, body, { onEvent, signal } = {}) {
  const headers = { 'content-type': 'application/json', accept: onEvent ? 'text/event-stream' : 'application/json' };
  for (;;) {
    const answer = await request(AT + name, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (answer.status !== 429) return read(answer, onEvent);
    const { place = null } = await answer.json().catch(() => ({}));
    onEvent?.('busy', { place });
    await pause(Number(answer.headers.get('retry-after')) || RETRY_SECONDS, signal);
  }
}

async function request(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
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
