import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { boardIs, looks, onPage, reads } from './page.js';

const SMALL = '#inside?board=1+6+2/5+0+3/4+7+8';

onPage('a search unfolds step by step, and back', SMALL, async (page) => {
  await reads(page, '.inside', /step 1 of 12/);
  assert.equal(await page.locator('.tree .now').count(), 1);
  const first = await page.locator('.tree g').count();
  await page.getByRole('button', { name: 'Step' }).click();
  await reads(page, '.inside', /step 2 of 12/);
  assert.ok(await page.locator('.tree g').count() > first);
  await reads(page, '.open-list', /next/);
  await page.getByRole('button', { name: 'Back' }).click();
  assert.equal(await page.locator('.tree g').count(), first);
  await page.getByRole('slider', { name: 'Step of the search' }).fill('12');
  assert.equal(await page.locator('.tree .end').count(), 1);
  await reads(page, '.note', /8 moves, the fewest possible/);
  await reads(page, '.facts', /g so far 7 h to go 1 f decides 8/);
  await page.waitForURL(/step=12/);
});

onPage('outlines of equal f grow round the nodes', '#inside?board=1+2+0/4+5+8/7+6+3', async (page) => {
  await reads(page, '.key', /f ≤ 6 f ≤ 8 f ≤ 10/);
  const outlines = () => page.locator('.contour:not(.in, .line)').count();
  assert.equal(await outlines(), 2, 'f ≤ 6 around the first node, f ≤ 8 around a child of it');
  await page.getByRole('slider', { name: 'Step of the search' }).fill('16');
  assert.equal(await outlines(), 3);
  const [inner, middle, outer] = await Promise.all(['.l1', '.l2', '.l3'].map((one) => page.locator(`.contour${one}:not(.line)`).evaluate((path) => ({ boxes: path.getAttribute('d').split('M').length - 1, height: path.getBBox().height }))));
  assert.equal(inner.boxes, 1);
  assert.ok(middle.boxes > 1 && middle.boxes < outer.boxes && inner.height < middle.height && middle.height < outer.height);
  await page.getByLabel('Algorithm').selectOption('bfs');
  await reads(page, '.inside', /step 1 of \d{3}/);
  assert.equal(await outlines(), 0);
});

onPage('an overestimate leads to a longer solution', SMALL, async (page) => {
  await page.getByRole('button', { name: 'A misled search' }).click();
  await reads(page, '.note', /10 moves, and 8 would do\./);
  await page.waitForURL(/algorithm=wastar/);
  assert.deepEqual((await page.locator('.ways a').allInnerTexts()).map((moves) => moves.length), [10, 8]);
  await page.locator('.ways a').first().click();
  await reads(page, '.panel', /10 moves.*These moves solve the board/);
});

onPage('a search uses a custom matrix', SMALL, async (page) => {
  await reads(page, '.note', /8 moves/);
  await page.getByLabel('Heuristic').selectOption('matrix');
  await reads(page, '.facts', /h to go 16/);
  await page.getByLabel(/^Matrix/).fill(Array.from({ length: 9 }, () => Array(9).fill(0).join(' ')).join('\n'));
  await page.keyboard.press('Tab');
  await reads(page, '.facts', /h to go 0/);
});

onPage('iterations of IDA* and the layers of breadth-first search are shown', `${SMALL}&algorithm=idastar`, async (page) => {
  await reads(page, '.open-list', /Bound 8/);
  await page.getByLabel('Algorithm').selectOption('bfs');
  await reads(page, '.inside', /Expanded so far, by moves so far/);
});

onPage('the trace can be downloaded for Posthoc', SMALL, async (page) => {
  await reads(page, '.note', /8 moves/);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Posthoc file' }).click();
  const file = await waiting;
  assert.equal(file.suggestedFilename(), 'astar.trace.json');
  assert.equal(JSON.parse(readFileSync(await file.path(), 'utf8')).version, '1.4.0');
});

onPage('another board can be typed', SMALL, async (page) => {
  await page.getByLabel('Board', { exact: true }).fill('1 2 3/4 0 5/7 8 6');
  await page.keyboard.press('Tab');
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
  await reads(page, '.note', /2 moves, the fewest possible/);
});

looks('inside', `${SMALL}&step=6`, (page) => reads(page, '.note', /8 moves/));
looks('inside-contours', '#inside?board=1+2+0/4+5+8/7+6+3&step=12', (page) => reads(page, '.note', /10 moves/));
looks('inside-misled', `${SMALL}&algorithm=wastar&weight=3&step=12`, (page) => reads(page, '.note', /10 moves, and 8 would do/));
