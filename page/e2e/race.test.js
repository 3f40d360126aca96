import assert from 'node:assert/strict';
import { board, eventually, fits, looks, onPage, reads } from './page.js';

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
  await eventually(async () => {
    const linear = await page.locator('.race tbody rect').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.ok(linear[2] / linear[0] < before / 4);
  });
  await page.getByRole('radio', { name: 'Memory' }).check();
  await page.waitForURL(/by=bytes/);
  await page.getByRole('button', { name: 'Copy as table' }).click();
  await eventually(async () => assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\| A\* \| manhattan \| 31 \| 6728 \|/));
});

onPage('rows can be chosen, and the link restores them', HARDEST, async (page) => {
  await page.getByText('Choose the rows').click();
  await page.getByRole('button', { name: 'Eight realms' }).click();
  await eventually(async () => assert.equal(await page.locator('.race tbody tr').count(), 8));
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
  await eventually(async () => assert.equal(await page.locator('.race tbody tr').count(), 5));
  await page.getByRole('group', { name: 'Row 5' }).getByLabel('Heuristic').selectOption('manhattan');
  await reads(page, '.race-grid [role=status]', /That row is already in the race/);
  assert.equal(await page.locator('.race tbody tr').count(), 4);
});

onPage('the winners are named by nodes, time and memory', HARDEST, async (page) => {
  await race(page);
  const words = await reads(page, '.race-grid .note', /Fewest nodes: A\* with manhattan, 6,728; fastest: .+, [\d.]+ m?s; least memory: .+, \d[\d.]* (B|KB|MB)\./);
  const [nodes, memory, time] = [0, 1, 2].map((column) => cells(page).then((rows) => rows.map((row) => row[column])));
  assert.ok((await nodes).includes('6,728') && (await time).some((text) => words.includes(text)) && (await memory).some((text) => words.includes(text)));
});

const pixels = (page) => page.locator('.race tbody rect').evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));

onPage('a race is replayed slowly from nothing, and the replay can be stopped', `${HARDEST}&scale=linear&rows=bfs,astar.manhattan`, async (page) => {
  await race(page);
  const [end, numbers] = [await pixels(page), await cells(page)];
  await page.getByRole('button', { name: 'Replay slowly' }).click();
  await reads(page, '.race-grid .note', /A replay of the race\. .+ times slower, all rows on one clock\./);
  await page.waitForFunction((whole) => {
    const width = document.querySelector('.race tbody rect').getBoundingClientRect().width;
    return width > 0 && width < whole / 2;
  }, end[0]);
  await page.waitForFunction((whole) => document.querySelectorAll('.race tbody rect')[0].getBoundingClientRect().width > whole / 10, end[0]);
  assert.ok(Number((await cells(page))[0][0].replaceAll(',', '')) < 181_380);
  await page.getByRole('button', { name: 'Stop the replay' }).click();
  await reads(page, '.race-grid .note', /The race is over/);
  assert.deepEqual([await pixels(page), await cells(page)], [end, numbers]);
});

onPage('under reduced motion a replay has ten steps, and ends with the results', `${HARDEST}&rows=bfs`, async (page) => {
  await race(page);
  const numbers = await cells(page);
  const seen = await page.evaluate(() => new Promise((resolve) => {
    const bar = document.querySelector('.race tbody rect');
    const widths = new Set();
    const observer = new MutationObserver(() => widths.add(bar.getAttribute('width')));
    observer.observe(bar, { attributes: true, attributeFilter: ['width'] });
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Replay slowly');
    button.click();
    new MutationObserver(() => button.textContent === 'Replay slowly' && resolve([...widths])).observe(button, { childList: true, characterData: true, subtree: true });
  }));
  assert.equal(seen.length, 11, seen.join(' '));
  await reads(page, '.race-grid .note', /The race is over/);
  assert.deepEqual(await cells(page), numbers);
}, { reducedMotion: 'reduce' });

onPage('the table stays within its panel at any width, with long names and large numbers', `${HARDEST}&rows=astar.linear-conflict.ordered,wastar.walking-distance.hashed.10`, async (page) => {
  await race(page);
  await page.evaluate(() => {
    for (const cell of document.querySelectorAll('.race tbody td.n')) (cell.querySelector('b') ?? cell).textContent = '123,456,789,012';
    for (const name of document.querySelectorAll('.race small')) name.textContent = 'out of memory, at least 1,234 moves · inversion-distance · ordered · weight 10';
  });
  for (let width = 320; width <= 1440; width += 40) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => {
      const { left, right } = document.querySelector('.race').getBoundingClientRect();
      const cellsOver = [...document.querySelectorAll('.race th, .race td')].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const content = range.getBoundingClientRect();
        const box = cell.getBoundingClientRect();
        return content.width > 0 && (content.left < Math.max(box.left, left) - 1 || content.right > Math.min(box.right, right) + 1) && !cell.matches('.barcell');
      });
      return cellsOver.map(({ textContent }) => textContent);
    });
    assert.deepEqual(over, [], `${width} px`);
    await fits(page);
  }
});

onPage('on a phone the notice is near the start button', HARDEST, async (page) => {
  await race(page);
  const [note, start] = await Promise.all([page.locator('.race-grid .note').boundingBox(), page.getByRole('button', { name: 'Run again' }).boundingBox()]);
  assert.ok(note.y >= start.y && note.y - (start.y + start.height) < 120, `${note.y} ${start.y}`);
}, { viewport: { width: 390, height: 844 } });

looks('race', HARDEST, race);
looks('race-large', '#race?board=18+21+14+23+3/15+19+16+7+17/22+10+11+13+1/6+2+5+8+4/24+12+20+0+9&rows=greedy.linear-conflict,bfs,astar.manhattan', race);
looks('race-rows', `${HARDEST}&rows=astar.zero,astar.misplaced,astar.manhattan`, async (page) => {
  await race(page);
  await page.getByText('Choose the rows').click();
});
