// Measures the page in Chromium: the bytes that it loads, the time to the first paint, and the frames while it plays a
// solution on 10x10. LOYD_URL is the page's address. Exits with status 1 if a target is missed.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ADDRESS = (process.env.LOYD_URL ?? 'http://127.0.0.1:8015/').replace(/\/?$/, '/');
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [MOST_BYTES, MOST_PAINT_MS, LEAST_FRAMES] = [120_000, 100, 60];
const VISITS = 11;
const PLAY_MS = 5000;
/** Frame times above this are missed frames, at 60 frames per second. */
const LONG_MS = 1.5 * (1000 / 60);
/** Files that browsers load once the engine is chosen; they do not count as the page. */
const ENGINE = /loyd_wasm|healthz|\/api\//;

const browser = await chromium.launch({ executablePath: process.env.LOYD_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
let missed = 0;
function report(name, isReached, text) {
  if (!isReached) missed += 1;
  console.log(`${name.padEnd(12)}${text}${isReached ? '' : '  MISSED'}`);
}
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const zipped = (parts) => parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);
const size = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

/** Returns every file that a first visit requests, and all files of the page. */
async function weigh() {
  const page = await browser.newPage();
  await page.goto(ADDRESS);
  await page.waitForURL(/seed=/);
  const names = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name }) => name.split('#')[0]));
  const addresses = [...new Set(names)].filter((name) => !ENGINE.test(name));
  const first = await Promise.all(addresses.map(async (address) => Buffer.from(await (await fetch(address)).arrayBuffer())));
  report('first visit', size(first) <= MOST_BYTES, `${first.length} files, ${kilobytes(size(first))}, ${kilobytes(zipped(first))} compressed (gzip, each file alone)`);
  const all = ['.', 'style', 'engine', 'puzzle', 'parts', 'views', 'export'].flatMap((folder) => readdirSync(ROOT + folder)
    .filter((name) => /\.(html|js|css|svg)$/.test(name) && !ENGINE.test(name)).map((name) => readFileSync(`${ROOT}${folder}/${name}`)));
  report('all views', zipped(all) <= MOST_BYTES, `${all.length} files, ${kilobytes(size(all))}, ${kilobytes(zipped(all))} compressed`);
  await page.close();
}

/** Measures first paint and first contentful paint in a browser without a cache. */
async function paint() {
  const times = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(ADDRESS);
    times.push(await page.evaluate(() => new Promise((resolve) => {
      new PerformanceObserver((list, observer) => {
        observer.disconnect();
        resolve(list.getEntries().find(({ name }) => name === 'first-contentful-paint').startTime);
      }).observe({ type: 'paint', buffered: true });
    })));
    await context.close();
  }
  times.sort((a, b) => a - b);
  const median = times[VISITS >> 1];
  report('first paint', median <= MOST_PAINT_MS, `median ${median.toFixed(0)} ms of ${VISITS} visits, longest ${times.at(-1).toFixed(0)} ms (first contentful paint)`);
}

/** Measures the frames, and the number of moves shown, while a walk of the blank is played. */
async function play(speed) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const tiles = [...Array.from({ length: 99 }, (_, place) => place + 1), 0].join(' ');
  // Cycles through all columns and rows.
  const moves = 'llllllllluuuuuuuuurrrrrrrrrddddddddd'.repeat(40);
  await page.goto(`${ADDRESS}#watch?board=${encodeURIComponent(tiles)}&moves=${moves}`);
  await page.getByRole('radio', { name: speed, exact: true }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  // The processor time of the page's thread does not depend on other load on the machine.
  const cdp = await context.newCDPSession(page);
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
  report(`10x10, ${speed}`, rate >= LEAST_FRAMES * 0.99, `${rate.toFixed(1)} frames a second for ${PLAY_MS / 1000} s, ${long} of ${gaps.length} longer than ${LONG_MS.toFixed(0)} ms, longest ${Math.max(...gaps).toFixed(0)} ms; ${(work / gaps.length).toFixed(1)} ms of work a frame, ${shown} moves shown`);
  await context.close();
}

await weigh();
await paint();
for (const speed of ['1×', '4×', '16×']) await play(speed);
await browser.close();
process.exitCode = missed ? 1 : 0;
