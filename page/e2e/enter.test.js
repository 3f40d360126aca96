import assert from 'node:assert/strict';
import { boardIs, eventually, looks, onPage, reads } from './page.js';

const UNSOLVABLE = '#enter?board=5+1+3/2+8+4/7+6+0';

onPage('typed text is shown and judged at once', '#enter', async (page) => {
  await page.getByLabel('Board', { exact: true }).fill('23415x768');
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await reads(page, '#verdict', /This board can be solved\. 19 moves solve it, and no fewer\./);
  await page.waitForURL(/board=2\+3\+4/);
  await page.getByRole('link', { name: 'Watch the solution' }).click();
  await reads(page, '.figure', /^19 moves$/);
});

onPage('the engine reads other forms, and its assumptions are shown', '#enter', async (page) => {
  const board = page.getByLabel('Board', { exact: true });
  for (const text of ['1 2 3 4 5 6 7 9 8', '3\n1 2 3\n4 5 6\n7 9 8', 'board = [[1,2,3],[4,5,6],[7,9,8]]', '| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 9 | 8 |']) {
    await board.fill('');
    await board.fill(text);
    await boardIs(page, '1 2 3/4 5 6/7 0 8');
    await reads(page, '.enter', /Loyd read 9 as the blank: it is the number of cells\./);
  }
  await board.fill('2 3 4/1 5 0/7 6 8');
  await reads(page, '#verdict', /19 moves solve it/);
  assert.doesNotMatch(await page.locator('.enter').innerText(), /Loyd read/);
});

onPage('a board that cannot be solved is explained, drawn and repaired', UNSOLVABLE, async (page) => {
  await reads(page, '#verdict', /This board cannot be solved\. 9 pairs stand in the wrong order/);
  assert.equal(await page.locator('.arcs path.cut').count(), 1);
  assert.deepEqual(await page.locator('.tile.swap').allInnerTexts(), ['7', '6']);
  await page.getByRole('button', { name: 'Swap 7 and 6' }).click();
  await boardIs(page, '5 1 3/2 8 4/6 7 0');
  await reads(page, '#verdict', /can be solved\. 20 moves/);
  assert.equal(await page.getByLabel('Board', { exact: true }).inputValue(), '5 1 3/2 8 4/6 7 0');
});

onPage('faults are shown on the cells and repaired by tapping', '#enter?board=1+2+3/4+5+6/7+5+0', async (page) => {
  await reads(page, '#verdict', /Tile 5 appears twice \(cells 5 and 8\)\. Tile 8 is missing\./);
  assert.equal(await page.locator('.fault').count(), 2);
  await page.getByRole('button', { name: 'Tile 8, not on the board' }).click();
  await page.getByRole('button', { name: /^5, row 3, column 2/ }).click();
  await boardIs(page, '1 2 3/4 5 6/7 8 0');
  await reads(page, '#verdict', /solved/);
});

onPage('tiles are placed with the keyboard', '#enter?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.locator('.board [tabindex="0"], .board button').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await boardIs(page, '2 1 3/4 5 6/7 0 8');
});

onPage('a smaller board keeps a tab stop', '#enter?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.locator('.board button').first().focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await page.locator('.board [tabindex="0"]').getAttribute('aria-label'), /row 3, column 3/));
  await page.getByLabel('Board', { exact: true }).fill('1 2/0 3');
  await boardIs(page, '1 2/0 3');
  await reads(page, '#verdict', /can be solved/);
  assert.match(await page.locator('.board [tabindex="0"]').getAttribute('aria-label'), /row 1, column 1/);
});

onPage('an empty board is filled by tapping cells in turn', '#enter', async (page) => {
  await page.getByText('Size and goal').click();
  await page.getByLabel('Width').selectOption('2');
  await page.getByLabel('Height').selectOption('2');
  for (const [row, column] of [[1, 1], [1, 2], [2, 2], [2, 1]]) await page.getByRole('button', { name: new RegExp(`row ${row}, column ${column}`) }).click();
  await boardIs(page, '1 2/0 3');
  await reads(page, '#verdict', /can be solved\. 1 move solve/);
});

onPage('text that is not a board is rejected', '#enter', async (page) => {
  await page.getByLabel('Board', { exact: true }).fill('1 2 3/4 five 6/7 8 0');
  await reads(page, '#verdict', /“five” is not a tile \(cell 5\)/);
  assert.equal(await page.getByLabel('Board', { exact: true }).getAttribute('aria-invalid'), 'true');
});

onPage('the pairs of a board too large for arcs are drawn as bars', '#enter', async (page) => {
  // All tiles in reverse: 98 + 97 + … + 1 pairs, odd; the blank is in its row.
  const tiles = [...Array.from({ length: 99 }, (_, place) => 99 - place), 0];
  await page.getByText('Size and goal').click();
  await page.getByLabel('Width').selectOption('10');
  await page.getByLabel('Height').selectOption('10');
  await page.getByLabel('Board', { exact: true }).fill(tiles.join(' '));
  await reads(page, '#verdict', /4,851 pairs stand in the wrong order \(the bars\).*The highest is 98, for tile 99/);
  assert.equal(await page.locator('.plot .on').evaluate((path) => path.getAttribute('d').split('M').length - 1), 2);
  await page.getByRole('button', { name: /^Swap / }).click();
  await reads(page, '#verdict', /This board can be solved/);
});

looks('enter', UNSOLVABLE, (page) => reads(page, '#verdict', /cannot be solved/));
looks('enter-fault', '#enter?board=1+2+3/4+5+6/7+5+0', (page) => reads(page, '#verdict', /twice/));
looks('enter-wide', '#enter?board=1+2+3+4/5+6+7+8/9+10+11+12/13+15+14+0', (page) => reads(page, '#verdict', /cannot/));
looks('enter-large', `#enter?board=${[1, 2, ...Array.from({ length: 98 }, (_, place) => 3 + ((place * 37) % 97)).slice(0, 97), 0].join('+')}`, (page) => reads(page, '#verdict', /cannot be solved/));

const at = (page, row, column) => page.getByRole('button', { name: new RegExp(`row ${row}, column ${column}`) });
const undo = (page) => page.getByRole('button', { name: 'Undo' });

async function drag(page, from, to) {
  const [a, b] = await Promise.all([from.boundingBox(), to.boundingBox()]);
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 6 });
  await page.mouse.up();
}

onPage('tiles are dragged onto each other, and from outside of the board', '#enter?board=1+2+3/4+5+6/7+8+0', async (page) => {
  await drag(page, at(page, 1, 1), at(page, 3, 3));
  await boardIs(page, '0 2 3/4 5 6/7 8 1');
  await drag(page, at(page, 2, 1), at(page, 2, 2));
  await boardIs(page, '0 2 3/5 4 6/7 8 1');
  assert.equal(await page.locator('.picked').count(), 0, 'a drag picks nothing up');
  await at(page, 3, 3).focus();
  await page.keyboard.press('Delete');
  await drag(page, page.getByRole('button', { name: 'Tile 1, not on the board' }), at(page, 3, 2));
  await drag(page, page.getByRole('button', { name: 'Tile 8, not on the board' }), at(page, 3, 3));
  await boardIs(page, '0 2 3/5 4 6/7 1 8');
  await drag(page, at(page, 1, 2), page.getByText('Size and goal'));
  await boardIs(page, '0 2 3/5 4 6/7 1 8');
});

onPage('numbers are typed into cells, and every change is undone', '#enter?board=1+2+3+4/5+6+7+8/9+10+11+12/13+14+15+0', async (page) => {
  await at(page, 1, 1).focus();
  await page.keyboard.type('12');
  await boardIs(page, '12 2 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Backspace');
  await boardIs(page, '12 0 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  await reads(page, '#verdict', /1 cell to go/);
  await page.keyboard.press('Control+z');
  await boardIs(page, '12 2 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  await page.keyboard.press('Control+z');
  await boardIs(page, '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0');
  assert.ok(await undo(page).isDisabled());
  await page.keyboard.press('Control+y');
  await boardIs(page, '12 2 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  await page.getByRole('button', { name: 'Empty board' }).click();
  await reads(page, '#verdict', /16 cells to go/);
  await page.getByText('Size and goal').click();
  await page.getByLabel('Width').selectOption('3');
  await page.getByRole('button', { name: 'Goal as board' }).click();
  await boardIs(page, '1 2 3/4 5 6/7 8 9/10 11 0');
  await page.getByLabel('Goal', { exact: true }).selectOption('snake');
  await page.waitForURL(/goal=snake/);
  await page.keyboard.press('Control+z');
  await page.waitForURL((url) => !url.hash.includes('goal'));
  await undo(page).click();
  await reads(page, '#verdict', /12 cells to go/);
  await undo(page).click();
  await reads(page, '#verdict', /16 cells to go/);
  await undo(page).click();
  await boardIs(page, '12 2 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  assert.equal(await page.getByLabel('Board', { exact: true }).inputValue(), '12 2 3 4/5 6 7 8/9 10 11 1/13 14 15 0');
  await at(page, 2, 2).focus();
  await page.keyboard.type('99');
  await boardIs(page, '12 2 3 4/5 9 7 8/6 10 11 1/13 14 15 0');
});
