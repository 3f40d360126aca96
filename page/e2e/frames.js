// Measures the page in Chromium: bytes of a first visit, times to the first paint and the first board, frame rates in
// Watch, and the time from a key to its frame in Play. LOYD_URL is the page's address. Exits with status 1 if a target
// is missed. "CPU 6x" is Chromium's simulation of a processor that is six times as slow.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ADDRESS = (process.env.LOYD_URL ?? 'http://127.0.0.1:8015/').replace(/\/?$/, '/');
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SLOW = 6;
const MOST_BYTES = 120_000;
const MOST_ENGINE_BYTES = 1_000_000;
/** Most milliseconds until the first contentful paint, and until the first board, by processor. */
const MOST_MS = { 1: { paint: 100, board: 300 }, [SLOW]: { paint: 1500, board: 2500 } };
const [LEAST_FRAMES, LEAST_SLOW_FRAMES] = [60, 30];
const MOST_KEY_MS = 60;
const VISITS = 11;
const KEYS = 40;
const PLAY_MS = 5000;
/** Frame times above this are missed frames, at 60 frames per second. */
const LONG_MS = 1.5 * (1000 / 60);
/** Files that browsers load once the engine is chosen; they do not count as the page. */
const ENGINE = /loyd_wasm|healthz|\/api\//;

const browser = await chromium.launch({ executablePath: process.env.LOYD_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
let missed = 0;
function report(name, isReached, text) {
  if (!isReached) missed += 1;
  console.log(`${name.padEnd(20)}${text}${isReached ? '' : '  MISSED'}`);
}
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const zipped = (parts) => parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);
const size = (parts) => parts.reduce((sum, part) => sum + part.length, 0);
const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const spread = (values) => `median ${middle(values).toFixed(0)} ms of ${values.length}, longest ${Math.max(...values).toFixed(0)} ms`;
const processor = (slowness) => (slowness > 1 ? `, CPU ${slowness}x` : '');

/** Opens a page without a cache, on a processor that is `slowness` times as slow. */
async function openPage(slowness) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  // The limit holds for a process, which belongs to one host.
  await page.goto(`${ADDRESS}icon.svg`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  return { context, page, cdp };
}

/** Returns every file that a first visit requests, and all files of the page. */
async function weigh() {
  const { context, page } = await openPage(1);
  await page.goto(ADDRESS);
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /engine\/(server|wasm)\.js/.test(name)));
  const names = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name }) => name.split('#')[0]));
  const addresses = [...new Set(names)].filter((name) => !ENGINE.test(name));
  const first = await Promise.all(addresses.map(async (address) => Buffer.from(await (await fetch(address)).arrayBuffer())));
  report('first visit', size(first) <= MOST_BYTES, `${first.length} files, ${kilobytes(size(first))}, ${kilobytes(zipped(first))} compressed (gzip, each file alone)`);
  const all = ['.', 'style', 'engine', 'puzzle', 'parts', 'views', 'export'].flatMap((folder) => readdirSync(ROOT + folder)
    .filter((name) => /\.(html|js|css|svg)$/.test(name) && !ENGINE.test(name)).map((name) => readFileSync(`${ROOT}${folder}/${name}`)));
  report('all views', zipped(all) <= MOST_BYTES, `${all.length} files, ${kilobytes(size(all))}, ${kilobytes(zipped(all))} compressed`);
  const engine = readFileSync(`${ROOT}engine/loyd_wasm_bg.wasm`);
  const least = gzipSync(engine, { level: 9 }).length;
  report('engine', least <= MOST_ENGINE_BYTES, `${kilobytes(engine.length)}, ${kilobytes(least)} with gzip -9, ${kilobytes(brotliCompressSync(engine).length)} with brotli`);
  await context.close();
}

/** Notes when a board is shown that is not solved: the first one that the page has drawn. */
function noteBoard() {
  const look = () => {
    if (document.querySelector('.play .tile:not(.home)')) setTimeout(() => { globalThis.boardAt = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Measures the first contentful paint and the first board of visits without a cache. */
async function start(slowness) {
  const [paints, boards] = [[], []];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const { context, page } = await openPage(slowness);
    await page.addInitScript(noteBoard);
    await page.goto(ADDRESS);
    await page.waitForFunction(() => globalThis.boardAt);
    const [painted, shown] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, globalThis.boardAt]);
    paints.push(painted);
    boards.push(shown);
    await context.close();
  }
  const most = MOST_MS[slowness];
  report(`first paint${processor(slowness)}`, middle(paints) <= most.paint, `${spread(paints)} visits (first contentful paint)`);
  report(`first board${processor(slowness)}`, middle(boards) <= most.board, `${spread(boards)} visits`);
  report('  after the paint', true, spread(boards.map((shown, visit) => shown - paints[visit])));
}

/** Measures the frames, and the number of moves shown, while a walk of the blank is played. */
async function play(side, speed, slowness = 1) {
  const { context, page, cdp } = await openPage(slowness);
  const tiles = [...Array.from({ length: side * side - 1 }, (_, place) => place + 1), 0].join(' ');
  // Cycles through all columns and rows.
  const moves = ['l', 'u', 'r', 'd'].map((letter) => letter.repeat(side - 1)).join('').repeat(40);
  await page.goto(`${ADDRESS}#watch?board=${encodeURIComponent(tiles)}&moves=${moves}`);
  await page.getByRole('radio', { name: speed, exact: true }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  // The processor time of the page's thread does not depend on other load on the machine.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  const before = await busy();
  const { frames, shown } = await page.evaluate((most) => new Promise((resolve) => {
    const at = () => Number(document.querySelector('.at b').textContent);
    const frames = [];
    const started = at();
    const frame = (now) => {
      frames.push(now);
      if (now - frames[0] < most) requestAnimationFrame(frame);
      else resolve({ frames, shown: at() - started });
    };
    requestAnimationFrame(frame);
  }), PLAY_MS);
  const work = (await busy()) - before;
  const gaps = frames.slice(1).map((now, place) => now - frames[place]);
  const rate = (gaps.length * 1000) / (frames.at(-1) - frames[0]);
  const long = gaps.filter((gap) => gap > LONG_MS).length;
  const least = slowness > 1 ? LEAST_SLOW_FRAMES : LEAST_FRAMES * 0.99;
  report(`${side}x${side}, ${speed}${processor(slowness)}`, rate >= least, `${rate.toFixed(1)} frames a second for ${PLAY_MS / 1000} s, ${long} of ${gaps.length} longer than ${LONG_MS.toFixed(0)} ms, longest ${Math.max(...gaps).toFixed(0)} ms; ${(work / gaps.length).toFixed(1)} ms of work a frame, ${shown} moves shown`);
  await context.close();
}

/** Measures the time from a key in Play to the frame that shows its move. Chromium rounds it to 8 ms. */
async function press(side, slowness = 1) {
  const { context, page } = await openPage(slowness);
  await page.goto(`${ADDRESS}#play?size=${side}x${side}&seed=1`);
  await page.locator('.play .tile:not(.home)').first().waitFor();
  await page.evaluate(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => globalThis.keys.push(...list.getEntries().filter(({ name }) => name === 'keydown').map(({ duration }) => duration)))
      .observe({ type: 'event', durationThreshold: 16 });
  });
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'][key % 4]);
    await page.waitForTimeout(150);
  }
  const times = await page.evaluate(() => globalThis.keys);
  // Keys whose frame came within 16 ms are not reported.
  while (times.length < KEYS) times.push(16);
  report(`key, ${side}x${side}${processor(slowness)}`, middle(times) <= MOST_KEY_MS, `${spread(times)} keys`);
  await context.close();
}

const parts = {
  weigh,
  start: async () => { for (const slowness of [1, SLOW]) await start(slowness); },
  play: async () => {
    for (const speed of ['1×', '4×', '16×']) await play(10, speed);
    for (const side of [4, 10, 16]) await play(side, '4×', SLOW);
  },
  keys: async () => { for (const side of [4, 10]) await press(side, SLOW); },
};
/** Arguments name the parts to measure; all of them by default. */
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)) await parts[name]();
await browser.close();
process.exitCode = missed ? 1 : 0;
