// The package in Node.js and Deno.
import { functionsOf } from './calls.js';
import { host } from './engine/node_host.js';
import { open } from './engine/wasm.js';

export { Fault } from './engine/fault.js';

export const { solve, anytime, hint, explain, review, optimize, batch, scramble, convert, compare, trace, census, list, close } = functionsOf(() => open(host));
