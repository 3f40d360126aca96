// Engine on a server: fetch, and server-sent events read from the body of the answer.
import { Fault, isAbort } from './fault.js';

const AT = 'api/v1/';
const BUSY_SECONDS = 2;
const OFFLINE_SECONDS = 5;
/** Number of attempts to make a call while the server does not answer. */
const MAX_TRIES = 12;
/** Statuses of a server that is shutting down, and of proxies whose server does not answer. */
const GONE = new Set([502, 503, 504]);
const INCOMPLETE = 'The server ended the answer before it was complete.';

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
 * `busy` {place} and `offline` {seconds}. Without `onEvent`, a server that does not answer is an error at once.
 */
async function call(name, body, { onEvent, signal } = {}) {
  const headers = { 'content-type': 'application/json', accept: onEvent ? 'text/event-stream' : 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body), signal };
  for (let tries = 1; ;) {
    try {
      const answer = await request(AT + name, options);
      if (answer.status !== 429) return await read(answer, onEvent);
      const { place = null } = await answer.json().catch(() => ({}));
      onEvent?.('busy', { place });
      await pause(Number(answer.headers.get('retry-after')) || BUSY_SECONDS, signal);
    } catch (error) {
      if (!error.isOffline || !onEvent || tries >= MAX_TRIES) throw error;
      tries += 1;
      onEvent('offline', { seconds: OFFLINE_SECONDS });
      await pause(OFFLINE_SECONDS, signal);
    }
  }
}

const offline = (error) => new Fault({ error, help: 'Your board is safe. Try again in a moment.', isOffline: true });

/** Returns a successful or busy answer. */
async function request(address, options) {
  const answer = await fetch(address, options).catch((error) => { throw isAbort(error) ? error : offline('The server does not answer.'); });
  if (answer.ok || answer.status === 429) return answer;
  if (GONE.has(answer.status)) throw offline('The server does not answer.');
  const data = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  throw new Fault(data, answer.status);
}

async function read(answer, onEvent) {
  if (!(answer.headers.get('content-type') ?? '').includes('event-stream')) return answer.json();
  for await (const { event, data } of events(answer.body)) {
    if (event === 'result') return data;
    if (event === 'error') throw /shutting down/.test(data.error) ? offline('The server is restarting.') : new Fault(data);
    // Calls that wait for a worker, and calls that were rejected because too many wait.
    onEvent?.(event === 'queued' ? 'busy' : event, data);
  }
  throw offline(INCOMPLETE);
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((error) => { throw isAbort(error) ? error : offline(INCOMPLETE); });
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
    const cancel = () => {
      clearTimeout(timer);
      reject(new DOMException('cancelled', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}
