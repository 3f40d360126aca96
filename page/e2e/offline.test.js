import assert from 'node:assert/strict';
import { onPage, reads, URL } from './page.js';

const hasServer = await fetch(`${URL}healthz`).then((answer) => answer.ok, () => false);

if (hasServer) {
  const hasModule = await fetch(`${URL}engine/loyd_wasm_bg.wasm`).then((answer) => answer.ok);
  if (hasModule) {
    onPage('a reader may choose WebAssembly instead of the server', '?engine=wasm#watch?board=2+3+4/1+5+0/7+6+8', async (page) => {
      const requested = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.reload();
      await reads(page, '.figure', /^19 moves$/);
      assert.ok(requested.some((address) => address.endsWith('.wasm')) && !requested.some((address) => address.includes('/api/')), requested.join());
    });
  }
  onPage('when the server does not answer, the page says so and tries again', '#play?board=2+3+4/1+5+0/7+6+8', async (page, context) => {
    await page.waitForFunction(() => document.querySelector('.tabs a[aria-current]'));
    await page.getByRole('button', { name: 'Hint' }).click();
    await reads(page, '.message', /19 moves to go/);
    await context.setOffline(true);
    await page.getByRole('button', { name: /^8, row 3/ }).click();
    await page.getByRole('button', { name: 'Hint' }).click();
    await reads(page, '.message', /The server does not answer\. Your board is safe\. Trying again in 5 s\./);
    await context.setOffline(false);
    await reads(page, '.message', /18 moves to go/);
  });
} else {
  onPage('a static site opens without a network', '#learn', async (page, context) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => caches.open('loyd-page').then((kept) => kept.keys()).then((keys) => keys.length > 30));
    await context.setOffline(true);
    await page.reload();
    await reads(page, '.figure', /^4 pairs, even$/);
    await page.getByRole('link', { name: 'Watch' }).click();
    await page.locator('.watch-view .board').waitFor();
    assert.match(await page.title(), /Watch/);
    // Its engine works offline as well.
    await page.goto(`${URL}#watch?board=2+3+4/1+5+0/7+6+8`);
    await reads(page, '.figure', /^19 moves$/);
  });
}
