import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, reads, URL } from './page.js';

const hasServer = await fetch(`${URL}healthz`).then((answer) => answer.ok, () => false);

if (hasServer) test('a page with a server needs no service worker', { skip: true }, () => {});
else {
  onPage('a static site opens without a network', '#learn', async (page, context) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => caches.open('loyd-page').then((kept) => kept.keys()).then((keys) => keys.length > 30));
    await context.setOffline(true);
    await page.reload();
    await reads(page, '.figure', /^4 pairs, even$/);
    await page.getByRole('link', { name: 'Watch' }).click();
    await page.locator('.watch-view .board').waitFor();
    assert.match(await page.title(), /Watch/);
  });
}
