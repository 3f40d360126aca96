// Compiles the module and starts workers with the modules of Node.js, which Deno has too.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Most workers, which take up to 200 MB each. */
const MAX_WORKERS = 4;

const MODULE = new URL('./loyd_wasm_bg.wasm', import.meta.url);
const WORKER = new URL('./node_worker.js', import.meta.url);

export const host = {
  compile: async () => WebAssembly.compile(await readFile(MODULE)),
  startWorker,
  maxWorkers: Math.min(availableParallelism(), MAX_WORKERS),
};

/** Starts a thread with the interface of a worker in a browser. */
function startWorker() {
  // Threads inherit the options of Node.js, some of which are not for files, as `--input-type`.
  const thread = new Worker(WORKER, { execArgv: [] });
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => { thread.terminate(); },
    ref: () => thread.ref(),
    unref: () => thread.unref(),
  };
  thread.on('message', (data) => worker.onmessage?.({ data }));
  thread.on('error', (error) => worker.onerror?.(error));
  return worker;
}
