// Engine in the browser: WebAssembly in workers. Cancelling a call terminates its worker.
import { Fault } from './engine.js';

/** Maximum number of idle workers. They are reused because a worker keeps its tables. */
const MAX_IDLE = 1;

const MODULE = new URL('./loyd_wasm_bg.wasm', import.meta.url);

export function open() {
  // Compiled once for all workers, and before the first call.
  const module = compile();
  // A failure is reported by each call.
  module.catch(() => {});
  const idle = [];
  const run = (name, body, options) => callIn({ module, idle }, name, body, options);
  const lists = new Map();
  const list = (name) => {
    if (!lists.has(name)) lists.set(name, run('list', { name }));
    return lists.get(name);
  };
  const call = (name, body, options = {}) => (name === 'compare' && body.rows ? compare(run, body, options) : run(name, body, options));
  return { kind: 'wasm', list, call };
}

async function compile() {
  try {
    return await WebAssembly.compileStreaming(fetch(MODULE));
  } catch {
    // The server may not send the content type of WebAssembly.
    return WebAssembly.compile(await (await fetch(MODULE)).arrayBuffer());
  }
}

function callIn({ module, idle }, name, body, { onEvent, signal } = {}) {
  const used = idle.pop();
  const worker = used ?? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    const end = (settle, value, reusable) => {
      signal?.removeEventListener('abort', cancel);
      worker.onmessage = worker.onerror = null;
      if (reusable && idle.length < MAX_IDLE) idle.push(worker);
      else worker.terminate();
      settle(value);
    };
    const cancel = () => end(reject, new DOMException('cancelled', 'AbortError'), false);
    if (signal?.aborted) return cancel();
    signal?.addEventListener('abort', cancel);
    const isMissing = () => end(reject, new Fault({ error: 'The engine could not be loaded.', help: 'Load the page again.' }), false);
    worker.onerror = isMissing;
    worker.onmessage = ({ data: { kind, event, data } }) => {
      if (kind === 'event') onEvent?.(event, JSON.parse(data));
      else if (kind === 'answer') end(resolve, JSON.parse(data), true);
      // The memory of earlier calls may have caused the failure, so a fresh worker tries again.
      else if (kind === 'failure' && used) end(resolve, callIn({ module, idle }, name, body, { onEvent, signal }), false);
      else end(reject, new Fault(JSON.parse(data)), kind === 'fault');
    };
    module.then((module) => worker.postMessage({ module, name, request: JSON.stringify(body) }), isMissing);
  });
}

/** Runs each row of a comparison in its own worker, so that the rows run in parallel. */
async function compare(run, body, options) {
  const parts = await Promise.all(body.rows.map((row) => run('compare', { ...body, rows: [row] }, options)));
  return { rows: parts.flatMap((part) => part.rows), summary: parts.flatMap((part) => part.summary) };
}
