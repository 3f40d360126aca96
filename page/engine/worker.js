// The worker of the engine in the browser: one call at a time.
import init, { call } from './loyd_wasm.js';

let ready = null;

self.onmessage = async ({ data: { id, module, name, request } }) => {
  const tell = (kind, event, data) => self.postMessage({ id, kind, event, data });
  try {
    ready ??= init({ module_or_path: module });
    await ready;
    tell('answer', null, call(name, request, (event, data) => tell('event', event, data)));
  } catch (error) {
    // Faults are thrown as JSON. Anything else is a failure of the module, which cannot be used after that.
    if (typeof error === 'string' && error.startsWith('{')) tell('fault', null, error);
    else tell('failure', null, JSON.stringify({ error: `The engine stopped: ${error?.message ?? error}`, help: 'Your board is safe. Try again.' }));
  }
};
