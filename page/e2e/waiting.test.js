// Waits are shown: for a worker, for a server that died, and searches pause in hidden tabs.
import assert from 'node:assert/strict';
import { URL, isAccessible, isServer, onPage, reads } from './page.js';
import { relay } from './relay.js';

const HARD = 'board=18+21+14+23+3/15+19+16+7+17/22+10+11+13+1/6+2+5+8+4/24+12+20+0+9';

/** Returns the length of the best solution on display. */
const best = async (page) => Number((await reads(page, '.figure', /≤ \d+$/)).split(' ').at(-1));

/** Makes the page believe that its tab is hidden or visible. */
const become = (page, state) => page.evaluate((next) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next });
  document.dispatchEvent(new Event('visibilitychange'));
}, state);

/** Starts a search that takes long; returns the name of its first event and a function that ends it. */
async function occupy() {
  const cancel = new AbortController();
  const answer = await fetch(`${URL}api/v1/solve`, {
    method: 'POST', signal: cancel.signal, headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ board: '24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0', quality: 'auto', max_ms: 50_000 }),
  });
  const { value } = await answer.body.getReader().read();
  return { event: /event: (\w+)/.exec(new TextDecoder().decode(value))[1], end: () => cancel.abort() };
}

if (isServer) {
  onPage('the place in line is shown, and the search begins when a worker is free', '#watch?board=1+2+3+4+5/6+7+8+9+10/11+12+13+14+15/16+17+18+0+20/21+22+23+19+24&moves=u', async (page) => {
    const searches = [await occupy()];
    const end = () => searches.forEach((search) => search.end());
    try {
      while (searches.at(-1).event !== 'queued') searches.push(await occupy());
      await page.getByRole('button', { name: 'Find the shortest' }).click();
      await reads(page, '.gap', /All workers are busy\. You are number 2 in line\./);
      await isAccessible(page);
      searches.pop().end();
      await reads(page, '.gap', /You are number 1 in line\./);
      await page.goto(`${URL}#race?board=5+1+3+4/9+2+6+8/0+10+7+12/13+14+11+15&rows=idastar.manhattan`);
      await page.getByRole('button', { name: 'Start the race' }).click();
      await reads(page, '.race-grid .note', /All workers are busy\. You are number 1 in line\./);
      end();
      await reads(page, '.race-grid .note', /The race is over/);
    } finally {
      end();
    }
  });

  onPage('a solution whose length another event has reported is played', '#learn', async (page) => {
    const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify({ event: name, ...data })}\n\n`;
    const known = { length: 2, lower_bound: 1 };
    const body = event('progress', { ...known, expanded: 5 }) + event('incumbent', { ...known, moves: 'rd' }) + event('result', { status: 'stopped', ...known, optimal: false });
    await page.route('**/api/v1/solve', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await page.goto(`${URL}#watch?board=1+2+3/4+0+5/7+8+6`);
    await reads(page, '.at', /of 2$/);
  });

  onPage('a search survives the death of its server', '#learn', async (page, context) => {
    const between = await relay(URL);
    const other = await context.newPage();
    other.setDefaultTimeout(12_000);
    const faults = [];
    other.on('pageerror', (error) => faults.push(error.message));
    await other.goto(`${between.address}#watch?${HARD}`);
    const before = await best(other);
    await between.kill();
    await reads(other, '.gap', /The server does not answer\. Your board is safe\. Trying again in 5 s\./);
    await isAccessible(other);
    const kept = await best(other);
    assert.ok(kept <= before);
    await other.getByRole('button', { name: 'Step forward' }).click();
    await reads(other, '.at', new RegExp(`^1 of ${kept}$`));
    const asked = other.waitForResponse(/api\/v1\/solve/, { timeout: 20_000 });
    await between.restart();
    assert.ok((await asked).ok());
    await reads(other, '.gap', /^(?!.*does not answer)/);
    assert.ok(await best(other) <= kept);
    await other.getByRole('button', { name: 'Stop here' }).click();
    await reads(other, '.gap', /Stopped\. The best solution so far has \d+ moves\./);
    assert.deepEqual(faults, []);
    await other.close();
    await between.kill();
  });

  onPage('a search in a hidden tab pauses, keeps what it found, and continues', `#watch?${HARD}`, async (page) => {
    const before = await best(page);
    const ended = page.waitForEvent('requestfailed', { timeout: 20_000 });
    await become(page, 'hidden');
    await ended;
    const kept = await best(page);
    assert.ok(kept <= before);
    const again = page.waitForRequest(/api\/v1\/(solve|compare)/);
    await become(page, 'visible');
    await again;
    await page.getByRole('button', { name: 'Stop here' }).click();
    await reads(page, '.gap', /Stopped\. The best solution so far has \d+ moves/);
    assert.ok(await best(page) <= kept);
  });

  onPage('a race in a hidden tab pauses and continues', `#race?${HARD}&rows=idastar.manhattan`, async (page) => {
    await page.getByRole('button', { name: 'Start the race' }).click();
    await reads(page, '.race tbody tr', /running.*[1-9][\d,]{3}/);
    const ended = page.waitForEvent('requestfailed', { timeout: 20_000 });
    await become(page, 'hidden');
    await ended;
    const again = page.waitForRequest(/api\/v1\/(solve|compare)/);
    await become(page, 'visible');
    await again;
    await reads(page, '.race-grid .note', /Running/);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
  });
}

onPage('the clock of Play runs on in a hidden tab', '#play?board=2+3+4/1+5+0/7+6+8', async (page) => {
  await page.keyboard.press('ArrowDown');
  await become(page, 'hidden');
  const time = await page.locator('.clock time').innerText();
  await page.waitForFunction((old) => document.querySelector('.clock time').textContent > old, time);
});

onPage('an engine that cannot be loaded is reported, with what to do', '#play?size=4x4&seed=1', async (page) => {
  await page.route(/engine\/(server|wasm)\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${URL}?again#watch?board=2+3+4/1+5+0/7+6+8`);
  await reads(page, '.watch-view .note', /The engine could not be loaded\. Reload the page to try again\./);
}, { serviceWorkers: 'block' });

// The service worker of a static site would answer from its cache.
onPage('a part of the page that cannot be loaded says so, and is loaded later', '#play?board=2+3+4/1+5+0/7+6+8', async (page) => {
  const parts = /\/(full_screen|paste|panel)\.js$/;
  await page.route(parts, (route) => route.fulfill({ status: 404 }));
  const missing = /A part of the page could not be loaded\. Is the server running\?/;
  await page.getByRole('button', { name: 'Full screen' }).click();
  await reads(page, '#main > .note', missing);
  await page.evaluate(() => navigator.clipboard.writeText('1 2 3/4 5 6/7 0 8'));
  await page.keyboard.press('Control+V');
  await isAccessible(page);
  assert.equal(await page.locator('#main > .note').count(), 1);
  await page.goto(`${URL}#watch?board=2+3+4/1+5+0/7+6+8`);
  await page.getByText('Export', { exact: true }).click();
  await reads(page, 'details[open] .note', missing);
  assert.equal(await page.locator('#main > .note').count(), 0);
  await page.unroute(parts);
  for (let time = 0; time < 2; time += 1) await page.getByText('Export', { exact: true }).click();
  await page.getByRole('button', { name: 'Animated GIF' }).waitFor();
  assert.equal(await page.locator('details[open] .note').count(), 0);
}, { serviceWorkers: 'block' });
