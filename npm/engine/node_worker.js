// The worker of the engine in a thread of Node.js or Deno.
import { parentPort } from 'node:worker_threads';

// The interface that the worker expects of a browser.
globalThis.self = { onmessage: null, postMessage: (message) => parentPort.postMessage(message) };
await import('./worker.js');
parentPort.on('message', (data) => self.onmessage({ data }));
