// An engine answers calls: `engine.call(name, request, {onEvent, signal})` and `engine.list(name)`.

/** What is wrong with a request, as the engine says it. */
export class Fault extends Error {
  constructor(data = {}, status = 0) {
    super(data.error || 'The engine gave no answer.');
    this.name = 'Fault';
    Object.assign(this, { help: null, field: null, from: null, to: null }, data, { status });
  }
}

export const isAbort = (error) => error?.name === 'AbortError';

/** The server of this page if there is one, else WebAssembly. `?engine=wasm` or `?engine=server` forces one. */
export async function openEngine(wanted = new URLSearchParams(location.search).get('engine')) {
  const isServer = wanted === 'server' || (wanted !== 'wasm' && (await serverAnswers()));
  const { open } = await import(isServer ? './server.js' : './wasm.js');
  return open();
}

async function serverAnswers() {
  try {
    const answer = await fetch('healthz', { cache: 'no-store' });
    return answer.ok && !(answer.headers.get('content-type') ?? '').includes('html');
  } catch {
    return false;
  }
}
