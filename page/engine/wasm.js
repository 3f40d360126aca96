// Engine as WebAssembly in workers. Cancelling a call terminates its worker.
import { Fault } from './fault.js';

/** Maximum number of idle workers. They are reused because a worker keeps its tables. */
const MAX_IDLE = 1;

const MODULE = new URL('./loyd_wasm_bg.wasm', import.meta.url);

/**
 * Opens the engine. Outside of browsers, `startWorker()` returns a worker and `compile()` the module. While `maxWorkers`
 * are busy, further calls wait.
 */
export function open({ startWorker = startInBrowser, compile = fetchAndCompile, maxWorkers = Infinity } = {}) {
  // Compiled once for all workers, and before the first call.
  const module = compile();
  // A failure is reported by each call.
  module.catch(() => {});
  const pool = { module, startWorker, idle: [], turns: maxWorkers, line: [] };
  const run = (name, body, options) => callInTurn(pool, name, body, options);
  const lists = new Map();
  const list = (name) => {
    if (!lists.has(name)) lists.set(name, run('list', { name }));
    return lists.get(name);
  };
  const call = (name, body, options = {}) => (name === 'compare' && body.rows ? compare(run, body, options) : run(name, body, options));
  /** Terminates the idle workers, and frees their tables. */
  const close = () => pool.idle.splice(0).forEach((worker) => worker.terminate());
  return { kind: 'wasm', list, call, close };
}

async function fetchAndCompile() {
  try {
    return await WebAssembly.compileStreaming(fetch(MODULE));
  } catch {
    // The server may not send the content type of WebAssembly.
    return WebAssembly.compile(await (await fetch(MODULE)).arrayBuffer());
  }
}

function startInBrowser() {
  const script = new URL('./worker.js', import.meta.url);
  if (!globalThis.location || script.origin === location.origin) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  // Browsers start no worker from another origin, but one of this origin may import its script.
  const importing = URL.createObjectURL(new Blob([`import ${JSON.stringify(script)};`], { type: 'text/javascript' }));
  return new Worker(importing, { type: 'module' });
}

async function callInTurn(pool, name, body, options = {}) {
  await turn(pool, options.signal);
  try {
    return await callWorker(pool, name, body, options);
  } finally {
    const next = pool.line.shift();
    if (next) next();
    else pool.turns += 1;
  }
}

/** Waits for the turn of a call. */
function turn(pool, signal) {
  signal?.throwIfAborted();
  if (pool.turns > 0) {
    pool.turns -= 1;
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const leave = () => {
      pool.line.splice(pool.line.indexOf(enter), 1);
      reject(signal.reason);
    };
    const enter = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    signal?.addEventListener('abort', leave, { once: true });
    pool.line.push(enter);
  });
}

function callWorker(pool, name, body, { onEvent, signal }) {
  signal?.throwIfAborted();
  const used = pool.idle.pop();
  const worker = used ?? pool.startWorker();
  // An idle worker does not keep Node.js running.
  used?.ref?.();
  return new Promise((resolve, reject) => {
    const end = (settle, value, reusable) => {
      signal?.removeEventListener('abort', cancel);
      worker.onmessage = worker.onerror = null;
      if (reusable && pool.idle.length < MAX_IDLE) {
        worker.unref?.();
        pool.idle.push(worker);
      } else worker.terminate();
      settle(value);
    };
    const cancel = () => end(reject, signal.reason, false);
    signal?.addEventListener('abort', cancel);
    const isMissing = (cause) => end(reject, new Fault({ error: 'The engine could not be loaded.', help: 'Load the page again.', cause }), false);
    worker.onerror = isMissing;
    worker.onmessage = ({ data: { kind, event, data } }) => {
      if (kind === 'event') onEvent?.(event, read(name, data));
      else if (kind === 'answer') end(resolve, read(name, data), true);
      // The memory of earlier calls may have caused the failure, so a fresh worker tries again.
      else if (kind === 'failure' && used) end(resolve, callWorker(pool, name, body, { onEvent, signal }), false);
      else end(reject, new Fault(JSON.parse(data)), kind === 'fault');
    };
    pool.module.then((module) => worker.postMessage({ module, name, request: JSON.stringify(body) }), isMissing);
  });
}

/** Reads the data of an event or an answer. A batch has a record on each line. */
const read = (name, text) => (name === 'batch' ? text.split('\n').filter(Boolean).map((line) => JSON.parse(line)) : JSON.parse(text));

/** Runs each row of a comparison in its own worker, so that the rows run in parallel. */
async function compare(run, body, options) {
  const parts = await Promise.all(body.rows.map((row) => run('compare', { ...body, rows: [row] }, options)));
  return { rows: parts.flatMap((part) => part.rows), summary: parts.flatMap((part) => part.summary) };
}
