// Calls the module built by `cargo xtask wasm`, whose folder is the argument. Reads lines `[name, request]` and writes
// one line per call: the answer or the fault, the events in order, and the size of the memory in bytes.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${resolve(process.argv[2])}/`);
const { default: init, call } = await import(new URL('loyd_wasm.js', folder));
// The module fetches its own binary, as in a browser; `fetch` of Node.js does not read files.
globalThis.fetch = async (url) => new Response(readFileSync(url), { headers: { 'content-type': 'application/wasm' } });
const { memory } = await init();

for await (const line of createInterface({ input: process.stdin })) {
  const [name, request] = JSON.parse(line);
  const output = { events: [] };
  try {
    output.answer = call(name, JSON.stringify(request), (...event) => output.events.push(event));
  } catch (error) {
    if (typeof error !== 'string') throw error;
    output.fault = error;
  }
  console.log(JSON.stringify({ ...output, bytes: memory.buffer.byteLength }));
}
