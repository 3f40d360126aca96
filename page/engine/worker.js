// The worker of the engine in the browser: one call at a time.
import init, { call } from './loyd_wasm.js';

const ready = init();

self.onmessage = async ({ data: { id, name, request } }) => {
  const tell = (kind, event, data) => self.postMessage({ id, kind, event, data });
  try {
    await ready;
    tell('answer', null, call(name, request, (event, data) => tell('event', event, data)));
  } catch (error) {
    // Faults are thrown as JSON; anything else is a failure of the module.
    const isFault = typeof error === 'string' && error.startsWith('{');
    tell('fault', null, isFault ? error : JSON.stringify({ error: `The engine stopped: ${error?.message ?? error}` }));
  }
};
