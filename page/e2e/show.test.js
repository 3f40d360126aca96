// Showing boards to others: in full screen, in frames of other sites, as pictures, in sets, with hidden answers.
import assert from 'node:assert/strict';
import { fits, isAccessible, onPage, reads } from './page.js';

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
