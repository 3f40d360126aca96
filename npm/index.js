// The package in browsers.
import { functionsOf } from './calls.js';
import { open } from './engine/wasm.js';

export { Fault } from './engine/fault.js';

/** Most workers, which take up to 200 MB each. */
const MAX_WORKERS = 4;

const openHere = () => open({ maxWorkers: Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, MAX_WORKERS) });

export const { solve, anytime, hint, explain, review, optimize, batch, scramble, convert, compare, trace, census, list, close } = functionsOf(openHere);
