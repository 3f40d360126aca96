import assert from 'node:assert/strict';
import { boardIs, eventually, fits, isAccessible, looks, onPage, reads } from './page.js';

const shown = (page) => page.locator('.rounds tbody tr:not(.pictures):visible').count();

onPage('parity follows the board, and a swap changes it', '#learn', async (page) => {
  await reads(page, '.figure', /^4 pairs, even$/);
  assert.equal(await page.locator('.arcs path').first().evaluate((path) => path.getAttribute('d').split('M').length - 1), 4);
  await page.getByRole('button', { name: /^4, row 1/ }).click();
  await reads(page, '.figure', /pairs, even$/);
  await page.getByRole('button', { name: 'Swap two tiles' }).click();
  await reads(page, '.figure', /pairs, odd$/);
  await reads(page, '.learn', /It cannot be solved/);
  await page.getByRole('button', { name: /^3, row 1/ }).click();
  await reads(page, '.figure', /pairs, odd$/);
});

onPage('breadth-first search shows one layer after the other', '#learn?page=bfs', async (page) => {
  await reads(page, '.rounds', /0 moves/);
  const first = await shown(page);
  await page.getByRole('button', { name: 'Next layer' }).click();
  await eventually(async () => assert.equal(await shown(page), first + 1));
  await reads(page, '.rounds', /1 move/);
});

for (const width of [390, 1440]) {
  onPage(`layers are drawn as boards, as many as fit in two rows at ${width} px`, '#learn?page=bfs&board=8+6+7/2+5+4/3+0+1', async (page) => {
    const pictures = page.locator('.small-boards');
    await pictures.first().locator('svg').waitFor();
    assert.equal((await pictures.first().locator('text').allTextContents()).join(''), '86725431');
    for (let layer = 1; layer < 9; layer += 1) await page.getByRole('button', { name: 'Next layer' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.small-boards').length === 9 && [...document.querySelectorAll('.small-boards')].every((one) => one.childElementCount));
    const numbers = await page.locator('.rounds tbody tr:not(.pictures):visible td.n').allInnerTexts();
    const drawn = await pictures.evaluateAll((all) => all.map((one) => ({ boards: one.childElementCount, rows: new Set([...one.children].map((svg) => svg.getBoundingClientRect().top)).size, rest: one.nextSibling.textContent })));
    drawn.forEach(({ boards, rows, rest }, layer) => {
      const left = Number(numbers[layer].replace(',', '')) - boards;
      assert.equal(rest, left ? `and ${left} more` : '');
      assert.ok(rows <= 2);
      if (left) assert.equal(rows, 2);
    });
    assert.match(drawn.at(-1).rest, /^and \d+ more$/);
    await fits(page);
    await isAccessible(page);
  }, { viewport: { width, height: 900 } });
}

onPage('iterations of IDA* are those of the engine', '#learn?page=idastar', async (page) => {
  await reads(page, '.rounds', /28 moves 5/);
  for (let round = 0; round < 5; round += 1) await page.getByRole('button', { name: 'Run the next iteration' }).click();
  await reads(page, '.rounds', /38 moves 37,058/);
  await reads(page, '.learn', /That is all/);
});

onPage('unidirectional and bidirectional search are compared, and the board can be changed', '#learn?page=bidirectional', async (page) => {
  await reads(page, '.rounds', /From the start 181,380/);
  await page.getByRole('button', { name: 'Run the next search' }).click();
  await reads(page, '.rounds', /From both ends 10,068/);
  await page.getByText('Type a board').click();
  await page.getByLabel('Board', { exact: true }).fill('1 2 3/4 0 5/7 8 6');
  await page.keyboard.press('Tab');
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
  await reads(page, '.rounds', /From the start \d{1,2}\b/);
});

onPage('better estimates need fewer nodes', '#learn?page=astar', async (page) => {
  await reads(page, '.rounds', /zero/);
  for (let turn = 0; turn < 3; turn += 1) await page.getByRole('button', { name: 'Try a better estimate' }).click();
  const numbers = (await page.locator('.rounds td.n').allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
});

onPage('a pattern database is built, and estimates more than Manhattan', '#learn?page=pdb', async (page) => {
  assert.equal(await page.locator('.board .tile.grey').count(), 4);
  await page.getByRole('button', { name: 'Build the table' }).click();
  await reads(page, '.rounds:last-child', /0 moves 1 1 move 4 /);
  const text = await reads(page, '.learn-side', /one lookup in a table of 3,024 patterns.*Manhattan 21.*True distance 31/);
  const [, painted, both] = /Painted tiles (\d+) Plus a table of the others (\d+)/.exec(text).map(Number);
  assert.ok(painted < 21 && both > 21 && both <= 31, text);
});

onPage('the reader chooses the pattern and changes the board', '#learn?page=pdb&board=1+2+3/4+5+6/7+0+8&tiles=7,8', async (page) => {
  await page.getByRole('button', { name: 'Build the table' }).click();
  await reads(page, '.figure', /^1 move$/);
  await page.locator('.board').getByRole('button', { name: /^8, row 3, column 3, can move/ }).click();
  await reads(page, '.figure', /^0 moves$/);
  await page.getByRole('button', { name: 'Tile 6', exact: true }).click();
  await reads(page, '.learn-side', /No table yet/);
  assert.equal(await page.locator('.board .tile.grey').count(), 5);
  await page.waitForURL(/tiles=6,7,8/);
});

looks('learn', '#learn', (page) => reads(page, '.figure', /pairs/));
looks('learn-idastar', '#learn?page=idastar', async (page) => {
  await reads(page, '.rounds', /28 moves/);
  for (let round = 0; round < 4; round += 1) await page.getByRole('button', { name: 'Run the next iteration' }).click();
});
looks('learn-pdb', '#learn?page=pdb', async (page) => {
  await page.getByRole('button', { name: 'Build the table' }).click();
  await reads(page, '.learn-side', /True distance 31/);
});
