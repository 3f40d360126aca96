// Worker of the engine in the browser. It runs one call at a time.
import init, { call } from './loyd_wasm.js';

let ready = null;

self.onmessage = async ({ data: { id, module, name, request } }) => {
  const post = (kind, event, data) => self.postMessage({ id, kind, event, data });
  try {
    ready ??= init({ module_or_path: module });
    await ready;
    post('answer', null, call(name, request, (event, data) => post('event', event, data)));
  } catch (error) {
    // Errors of calls are thrown as JSON. Any other exception is a failure of the module, which is unusable afterwards.
    if (typeof error === 'string' && error.startsWith('{')) post('fault', null, error);
    else post('failure', null, JSON.stringify({ error: `The engine stopped: ${error?.message ?? error}`, help: 'Your board is safe. Try again.' }));
  }
};
