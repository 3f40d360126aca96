import assert from 'node:assert/strict';
import { board, looks, onPage, reads } from './page.js';

const HARDEST = '#race?board=8+6+7/2+5+4/3+0+1';

async function race(page) {
  await page.getByRole('button', { name: 'Start the race' }).click();
  await reads(page, '.race-grid', /The race is over/);
}

const cells = (page) => page.locator('.race tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td.n')].map((cell) => cell.innerText)));

onPage('four algorithms race on one board and are measured', HARDEST, async (page) => {
  await race(page);
  await reads(page, '.racebox', /31 moves at best/);
  assert.deepEqual((await cells(page)).map(([nodes]) => nodes), ['181,380', '10,068', '6,728', '14,964']);
  const widths = await page.locator('.race tbody rect').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(widths[0] > widths[3] && widths[3] > widths[1] && widths[1] > widths[2], widths.join());
  const before = widths[2] / widths[0];
  await page.getByRole('radio', { name: 'Linear' }).check();
  const linear = await page.locator('.race tbody rect').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(linear[2] / linear[0] < before / 4);
  await page.getByRole('radio', { name: 'Memory' }).check();
  await page.waitForURL(/by=bytes/);
  await page.getByRole('button', { name: 'Copy as table' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /\| A\* \| manhattan \| 31 \| 6728 \|/);
});

onPage('rows can be chosen, and the link restores them', HARDEST, async (page) => {
  await page.getByText('Choose the rows').click();
  await page.getByRole('button', { name: 'Eight realms' }).click();
  assert.equal(await page.locator('.race tbody tr').count(), 8);
  await page.getByRole('button', { name: 'Remove row 1' }).click();
  await page.getByRole('group', { name: 'Row 1' }).getByLabel('Algorithm').selectOption('wastar');
  await page.getByRole('group', { name: 'Row 1' }).getByLabel('Weight').selectOption('5');
  await page.waitForURL(/wastar/);
  await page.reload();
  await reads(page, '.race tbody tr', /Weighted A\*/);
  assert.equal(await page.locator('.race tbody tr').count(), 7);
  await race(page);
  assert.ok((await cells(page)).every(([nodes]) => /^[\d,]+$/.test(nodes)));
});

onPage('a new board is drawn, and a race is stopped', '#race?board=14+13+15+7/11+12+9+5/6+0+2+1/4+8+10+3&goal=blank-first&rows=idastar.manhattan', async (page) => {
  await page.getByRole('button', { name: 'Start the race' }).click();
  await reads(page, '.race tbody tr', /running.*[1-9][\d,]{3}/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await reads(page, '.race-grid', /Stopped\. The counts so far are kept/);
  const before = await board(page);
  await page.getByRole('button', { name: 'New board' }).click();
  await page.waitForFunction((old) => !location.hash.includes(old), '14+13+15+7');
  assert.notEqual(await board(page), before);
});

onPage('a large board races with bounds', '#race?board=18+21+14+23+3/15+19+16+7+17/22+10+11+13+1/6+2+5+8+4/24+12+20+0+9&rows=greedy.linear-conflict,bfs', async (page) => {
  await race(page);
  await reads(page, '.racebox h2', /^\d\d ≤ \? ≤ \d{3,4} moves$/);
  await reads(page, '.race tbody tr:last-child', /Breadth-first out of (memory|time)/);
});

onPage('any rectangle can be raced on, and rows that cannot run say so', '#race?rows=idastar.pdb,idastar.linear-conflict', async (page) => {
  await page.getByLabel('Width').focus();
  await page.getByLabel('Width').selectOption('7');
  await page.waitForURL(/size=7x3/);
  assert.equal((await board(page)).split('/')[0].split(' ').length, 7);
  assert.equal(await page.evaluate(() => document.activeElement.selectedOptions?.[0].text), '7');
  await page.getByLabel('Height').selectOption('7');
  await page.waitForFunction(() => !location.hash.includes('size='));
  await page.getByRole('button', { name: 'Start the race' }).click();
  await reads(page, '.race tbody tr', /cannot run here/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
});

onPage('a row runs once', HARDEST, async (page) => {
  await page.getByText('Choose the rows').click();
  await page.getByRole('button', { name: 'Add a row' }).click();
  assert.equal(await page.locator('.race tbody tr').count(), 5);
  await page.getByRole('group', { name: 'Row 5' }).getByLabel('Heuristic').selectOption('manhattan');
  await reads(page, '.race-grid [role=status]', /That row is already in the race/);
  assert.equal(await page.locator('.race tbody tr').count(), 4);
});

looks('race', HARDEST, race);
looks('race-large', '#race?board=18+21+14+23+3/15+19+16+7+17/22+10+11+13+1/6+2+5+8+4/24+12+20+0+9&rows=greedy.linear-conflict,bfs,astar.manhattan', race);
looks('race-rows', `${HARDEST}&rows=astar.zero,astar.misplaced,astar.manhattan`, async (page) => {
  await race(page);
  await page.getByText('Choose the rows').click();
});
