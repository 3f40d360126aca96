// Errors of engines.

/** Error of a request, as reported by the engine. */
export class Fault extends Error {
  constructor(data = {}, status = 0) {
    super(data.error || 'The engine did not answer.');
    this.name = 'Fault';
    Object.assign(this, { help: null, field: null, from: null, to: null }, data, { status });
  }
}

/** Returns whether a call was cancelled. */
export const isAbort = (error) => error?.name === 'AbortError';
