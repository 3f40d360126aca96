// Showing boards to others: in full screen, in frames of other sites, as pictures, in sets, with hidden answers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { URL, fits, isAccessible, onPage, reads } from './page.js';
import { host } from './site.js';

const folder = mkdtempSync(join(tmpdir(), 'loyd-show-'));
let site;
before(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A site with a frame</title><link rel="icon" href="data:,"><iframe width="800" height="640"></iframe>');
  site = await host(folder);
});
after(() => {
  site.server.close();
  rmSync(folder, { recursive: true });
});

const EIGHT = '#watch?board=2+3+4/1+5+0/7+6+8';
const SCREEN = { viewport: { width: 1920, height: 1080 } };
const sizeOf = (page, selector) => page.locator(selector).first().evaluate((element) => ({ height: element.getBoundingClientRect().height, text: parseFloat(getComputedStyle(element).fontSize) }));

for (const [view, link] of [['play', '#play?board=2+3+4/1+5+0/7+6+8'], ['watch', EIGHT], ['inside', '#inside?step=5']]) {
  onPage(`${view} fills the screen with larger text, and the window fits again afterwards`, link, async (page) => {
    const [board, text] = [await sizeOf(page, '.tray'), await sizeOf(page, '.btn')];
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    assert.equal(await page.evaluate(() => document.fullscreenElement?.id), 'main');
    const [largeBoard, largeText] = [await sizeOf(page, '.tray'), await sizeOf(page, '.btn')];
    assert.ok(largeBoard.height > board.height && largeText.text > text.text, JSON.stringify({ board, largeBoard, text, largeText }));
    await isAccessible(page);
    await page.getByRole('button', { name: 'Leave full screen' }).click();
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
    assert.deepEqual(await sizeOf(page, '.tray'), board);
    await fits(page);
  }, SCREEN);
}

for (const [width, height] of [[1920, 1080], [1440, 900], [1280, 720]]) {
  onPage(`the board and its controls use the height of a window of ${width} x ${height}`, EIGHT, async (page) => {
    await reads(page, '.figure', /^19 moves$/);
    const bottom = await page.locator('.transport').evaluate((element) => element.getBoundingClientRect().bottom);
    assert.ok(bottom <= height && bottom > height - 60, `the controls end at ${bottom}`);
  }, { viewport: { width, height } });
}

onPage('the space bar plays in full screen after a click on its button', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  assert.equal(await page.evaluate(() => document.fullscreenElement?.id), 'main');
});

/** Opens a page of another site with a frame of the embedded page. */
async function embedded(context, link) {
  const page = await context.newPage();
  await page.goto(site.address);
  await page.evaluate((address) => { document.querySelector('iframe').src = address; }, `${URL}embed.html${link}`);
  return { page, frame: page.frameLocator('iframe') };
}

onPage('another site frames a solution: it plays, without the bar, and its links open in a new tab', '#learn', async (_, context) => {
  const { page, frame } = await embedded(context, `${EIGHT}&at=2`);
  await frame.getByText('2 of 19').waitFor();
  await frame.getByRole('button', { name: 'Step forward' }).click();
  await frame.getByText('3 of 19').waitFor();
  assert.equal(await frame.getByRole('navigation').count(), 0);
  const [opened] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Open in Loyd' }).click()]);
  await opened.locator('.at').getByText('3').waitFor();
  assert.match(opened.url().slice(URL.length), /^#watch\?board=2\+3\+4\/1\+5\+0\/7\+6\+8&at=3$/);
});

onPage('another site frames a game, and no other view', '#learn', async (_, context) => {
  const { page, frame } = await embedded(context, '#play?board=2+3+4/1+5+0/7+6+8');
  await frame.getByRole('button', { name: /^8, row 3/ }).click();
  await frame.locator('.chips').getByText('U').waitFor();
  await page.evaluate((address) => { document.querySelector('iframe').src = address; }, `${URL}embed.html#race`);
  await frame.getByText('Only Play and Watch can be shown inside other pages.').waitFor();
  const [opened] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Open it in a new tab' }).click()]);
  await opened.getByRole('heading', { name: 'Race' }).waitFor();
});
