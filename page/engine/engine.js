// An engine answers calls: `engine.call(name, request, {onEvent, signal})` and `engine.list(name)`.
import { Fault } from './fault.js';

const SEARCHES = new Set(['solve', 'hint', 'compare']);

/** Opens the server of this page if there is one, otherwise WebAssembly. `?engine=wasm` or `?engine=server` forces one. */
export async function openEngine(requested = new URLSearchParams(location.search).get('engine')) {
  const isServer = requested === 'server' || (requested !== 'wasm' && (await serverAnswers()));
  const { open } = await import(isServer ? './server.js' : './wasm.js')
    .catch(() => { throw new Fault({ error: 'The engine could not be loaded.', help: 'Reload the page to try again.' }); });
  const engine = open();
  return { ...engine, call: (name, body, options) => callVisibly(engine, name, body, options) };
}

/** Makes a call. Streamed searches on a server pause while the tab is hidden. */
async function callVisibly(engine, name, body, options) {
  if (engine.kind !== 'server' || !SEARCHES.has(name) || !options?.onEvent) return engine.call(name, body, options);
  const { whileVisible } = await import('./hidden.js');
  return whileVisible((signal) => engine.call(name, body, { ...options, signal }), options.signal);
}

async function serverAnswers() {
  try {
    const answer = await fetch('healthz', { cache: 'no-store' });
    return answer.ok && !(answer.headers.get('content-type') ?? '').includes('html');
  } catch {
    return false;
  }
}
