// Times the engine in the browser, in the page's own worker: boards drawn by seed, each solved from a cold start (a new
// browser profile: worker, module, tables), then all of them with one engine.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { host } from './site.js';

const BOARDS = 30;
const PAGE = fileURLToPath(new URL('..', import.meta.url));
/** The calls that take the most memory: tables for slides, all heuristics, large boards, searches with a closed list. */
const LARGE = [
  ['solve', { board: '15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0' }],
  ['solve', { board: '15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0', metric: 'mtm' }],
  ['explain', { board: '15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0' }],
  ['solve', { board: '15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0', algorithm: 'astar' }],
  ['solve', { board: '24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0', max_ms: 5000 }],
  ['solve', { board: '11 10 9 8/7 6 5 4/3 2 1 0', algorithm: 'bfs' }],
  ['scramble', { size: '4x4', length: 40, seed: 1 }],
];

const { server, address } = await host(PAGE);
const browser = await chromium.launch({ executablePath: process.env.LOYD_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Runs calls with an engine in a new browser; returns the answers, the time of each, and the memory in bytes after it. */
async function ask(requests) {
  const context = await browser.newContext();
  const page = await context.newPage();
  // A document without resources.
  await page.goto(`${address}icon.svg`);
  const results = [];
  await page.evaluate(async () => {
    const { open } = await import('./engine/wasm.js');
    globalThis.engine = open();
  });
  for (const [name, request] of requests) {
    const { answer, ms } = await page.evaluate(async ([name, request]) => {
      const started = performance.now();
      const answer = await globalThis.engine.call(name, request, { onEvent() {} }).catch((fault) => ({ fault: fault.message }));
      return { answer, ms: performance.now() - started };
    }, [name, request]);
    const bytes = await page.workers()[0].evaluate(async (module) => {
      const { memory } = await (await import(module)).default();
      return memory.buffer.byteLength;
    }, `${address}engine/loyd_wasm.js`);
    results.push({ answer, ms, bytes });
  }
  await context.close();
  return results;
}

const shown = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(0);
  return `median ${at(0.5)} ms, 9 of 10 within ${at(0.9)} ms, longest ${at(1)} ms`;
};
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const scrambles = Array.from({ length: BOARDS }, (_, seed) => ['scramble', { size: '4x4', seed: seed + 1 }]);
const boards = (await ask(scrambles)).map(({ answer }) => ['solve', { board: answer.boards[0].board }]);
const cold = [];
for (const board of boards) cold.push(...await ask([board]));
const warm = (await ask([boards[0], ...boards])).slice(1);
if (![...cold, ...warm].every(({ answer }) => answer.optimal)) throw new Error('a board was not solved optimally');
const module = readFileSync(`${PAGE}engine/loyd_wasm_bg.wasm`);
console.log(`module    ${megabytes(module.length)}, ${megabytes(gzipSync(module, { level: 9 }).length)} compressed`);
console.log(`cold      ${shown(cold.map(({ ms }) => ms))}; tables ${shown(cold.map(({ answer }) => answer.tables_ns / 1e6))}`);
console.log(`warm      ${shown(warm.map(({ ms }) => ms))}; memory ${megabytes(warm.at(-1).bytes)}`);
for (const [at, { answer, ms, bytes }] of (await ask(LARGE)).entries()) {
  const { board, size, ...how } = LARGE[at][1];
  console.log(`memory    ${megabytes(bytes)} after ${LARGE[at][0]} ${JSON.stringify(how)} on ${(board ?? size).slice(0, 8)}… in ${(ms / 1000).toFixed(1)} s: ${answer.fault ?? answer.status ?? 'answered'}`);
}
await browser.close();
server.close();
