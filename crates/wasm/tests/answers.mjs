// Asks the module that `cargo xtask wasm` makes: reads lines `[name, request]`, and writes a line for each: the answer or
// the fault, the events, all of them as they were told, and the bytes of the memory. The folder of the module is the argument.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${resolve(process.argv[2])}/`);
const { default: init, call } = await import(new URL('loyd_wasm.js', folder));
// It loads itself as in a browser; Node.js fetches no files.
globalThis.fetch = async (url) => new Response(readFileSync(url), { headers: { 'content-type': 'application/wasm' } });
const { memory } = await init();

for await (const line of createInterface({ input: process.stdin })) {
  const [name, request] = JSON.parse(line);
  const told = { events: [] };
  try {
    told.answer = call(name, JSON.stringify(request), (...event) => told.events.push(event));
  } catch (error) {
    if (typeof error !== 'string') throw error;
    told.fault = error;
  }
  console.log(JSON.stringify({ ...told, bytes: memory.buffer.byteLength }));
}
