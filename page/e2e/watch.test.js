import assert from 'node:assert/strict';
import { board, boardIs, eventually, looks, onPage, reads, URL } from './page.js';

/** A scrambled 8x8 board. */
const LARGE = `${Array.from({ length: 63 }, (_, place) => ((place * 37) % 63) + 1).join('+')}+0`;

const EIGHT = '#watch?board=2+3+4/1+5+0/7+6+8';
const HARD = '#watch?board=18+21+14+23+3/15+19+16+7+17/22+10+11+13+1/6+2+5+8+4/24+12+20+0+9';

onPage('a solution is played, stepped, scrubbed and reversed', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await reads(page, '.at', /^0 of 19$/);
  await page.getByRole('button', { name: 'Step forward' }).click();
  await reads(page, '.at', /^1 of 19$/);
  await page.getByRole('button', { name: 'Step back' }).click();
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await page.getByRole('slider', { name: 'Move' }).fill('19');
  await boardIs(page, '1 2 3/4 5 6/7 8 0');
  assert.equal(await page.getByRole('slider', { name: 'Move' }).getAttribute('aria-valuetext'), 'move 19 of 19');
  await page.getByRole('radio', { name: '16×' }).check();
  await page.getByRole('button', { name: 'Play' , exact: true }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await reads(page, '.at', /^19 of 19$/);
  await page.getByRole('button', { name: /move 1:/ }).click();
  await reads(page, '.at', /^1 of 19$/);
});

onPage('keys step and play', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await reads(page, '.at', /^1 of 19$/);
});

onPage('moves are written in any notation, with runs or without', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await page.getByLabel('Combine runs').uncheck();
  await eventually(async () => assert.equal(await page.locator('.chip').count(), 19));
  await page.getByLabel('Moves as').selectOption('blank');
  await eventually(async () => assert.match((await page.locator('.chip').allInnerTexts()).join(''), /^[udlr]{19}$/));
  await page.getByLabel('Moves as').selectOption('numbers');
  await eventually(async () => assert.ok((await page.locator('.chip').allInnerTexts()).every((text) => /^[1-8]$/.test(text))));
  await page.getByRole('button', { name: 'Copy moves' }).click();
  await eventually(async () => assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^(\d ){18}\d$/));
});

onPage('all shortest solutions are paged through', EIGHT, async (page) => {
  await page.getByRole('button', { name: 'All shortest solutions' }).click();
  const first = await reads(page, '[role=status]:has-text("Solution")', /Solution \d of 4/);
  await page.getByRole('button', { name: 'Next solution' }).click();
  assert.notEqual(await reads(page, '[role=status]:has-text("Solution")', /Solution \d of 4/), first);
  await page.getByRole('slider', { name: 'Move' }).fill('19');
  await boardIs(page, '1 2 3/4 5 6/7 8 0');
});

onPage('of very long solutions, only the moves near the current one are drawn', `#watch?board=1+2/3+0&moves=${'RDLU'.repeat(500)}`, async (page) => {
  await reads(page, '.at', /^0 of 2000$/);
  await page.getByRole('slider', { name: 'Move' }).fill('1999');
  await page.getByRole('button', { name: /move 1999: / }).waitFor();
  assert.equal(await page.locator('.chip[aria-current]').getAttribute('data-to'), '1999');
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.getByRole('button', { name: /move 1: / }).waitFor();
  assert.equal(await page.locator('.chip[aria-current]').count(), 0);
});

onPage('the link has the current move, the speed and the notation', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await page.getByRole('radio', { name: '4×' }).check();
  await page.getByLabel('Moves as').selectOption('numbers');
  await page.getByLabel('Combine runs').uncheck();
  await page.getByRole('slider', { name: 'Move' }).fill('5');
  await page.waitForURL(/at=5&speed=4&notation=numbers&runs=no/);
  const seen = await board(page);
  await page.reload();
  await reads(page, '.at', /^5 of 19$/);
  await boardIs(page, seen);
  assert.ok(await page.getByRole('radio', { name: '4×' }).isChecked());
  assert.match((await page.locator('.chip').allInnerTexts()).join(' '), /^(\d ){18}\d$/);
});

onPage('slides are counted too', EIGHT, async (page) => {
  await reads(page, '.figure', /^19 moves$/);
  await page.getByRole('radio', { name: 'Slides' }).check();
  await reads(page, '.figure', /^14 moves$/);
  await page.waitForURL(/metric=mtm/);
});

onPage('while a hard board is solved, the best solution is played and the gap is shown', HARD, async (page) => {
  await reads(page, '.figure', /^\d+ ≤ \? ≤ \d+$/);
  await page.locator('.chip').first().waitFor();
  await page.getByRole('img', { name: /The best solution so far has \d+ moves/ }).waitFor();
  await page.getByRole('button', { name: 'Stop here' }).click();
  await reads(page, '.gap', /Stopped\. The best solution so far has \d+ moves/);
  await page.getByRole('slider', { name: 'Move' }).fill('500');
  await boardIs(page, '1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 0');
});

onPage('a link with moves plays them, and replay links are made and opened', '#watch?board=1+2+3/4+0+5/7+8+6&moves=LU&at=1', async (page) => {
  await reads(page, '.panel', /2 moves.*These moves solve the board/);
  await boardIs(page, '1 2 3/4 5 0/7 8 6');
  await page.getByRole('button', { name: 'Copy slidysim link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /^https:\/\/slidysim\.github\.io\/replay\?r=/);
  await page.getByRole('link', { name: 'Enter' }).click();
  await page.getByLabel('Board', { exact: true }).fill(link);
  await reads(page, '.panel', /2 moves.*These moves solve the board/);
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
});

onPage('impossible moves are reported', '#watch?board=1+2+3/4+5+6/7+8+0&moves=UU', (page) => reads(page, '.note.bad', /No tile can move up here/));
for (const view of ['play', 'watch', 'race', 'inside']) {
  onPage(`a board that cannot be solved is mended, or leads to the reason, in the view ${view}`, `#${view}?board=1+2+3/4+5+6/8+7+0`, async (page) => {
    await reads(page, '.view', /This board cannot be solved\. Half of all boards cannot\. Swap 8 and 7 Show why It can reach another goal: Down the columns Snake Spiral/);
    if (view === 'inside') assert.ok(await page.getByRole('button', { name: 'Step' }).isDisabled());
    await page.getByRole('link', { name: 'Show why' }).click();
    await reads(page, '#verdict', /One pair stands in the wrong order/);
    await page.goBack();
    await page.getByRole('button', { name: 'Snake' }).click();
    await page.waitForURL(/goal=snake/);
    await page.getByText('This board cannot be solved').waitFor({ state: 'hidden' });
    await page.goto(`${URL}#${view}?board=1+2+3/4+5+6/0+8+7`);
    await page.getByRole('button', { name: 'Swap 8 and 7' }).click();
    await boardIs(page, '1 2 3/4 5 6/0 7 8');
  });
}

for (const view of ['watch', 'race', 'inside']) {
  onPage(`a board in any form can be opened in the view ${view}, and a damaged link is reported`, `#${view}?${new URLSearchParams({ board: '[[1,2,3],[4,5,6],[7,9,8]]' })}`, async (page) => {
    await page.waitForURL(/board=1\+2\+3\/4\+5\+6\/7\+0\+8/);
    await page.goto(`${URL}#${view}?board=banana`);
    await reads(page, '.note.bad', /There are no tiles here\./);
  });
}

onPage('a link to a solution that is not proved has its moves', '#watch?board=' + LARGE, async (page) => {
  await reads(page, '.figure', /≤ \d{3,}$/);
  await page.getByRole('button', { name: 'Stop here' }).click();
  await page.waitForURL(/moves=[udlr]{100,}/);
  const moves = (await reads(page, '.figure', /≤ \d{3,}$/)).split(' ').at(-1);
  await page.reload();
  await reads(page, '.figure', new RegExp(`^${moves} moves$`));
  await reads(page, '.panel', /These moves solve the board/);
});

onPage('the page that opens the solver slot gets an answer', '?scramble=5_1_3_2_8_4_6_7_0', async (page) => {
  const lines = await page.evaluate(() => new Promise((resolve) => {
    addEventListener('message', ({ data }) => { if (data !== 'GetContent') resolve(data); });
    postMessage('GetContent', '*');
  }));
  assert.match(lines[0], /^[UDLR]{20}$/);
  await reads(page, '.figure', /^20 moves$/);
});

onPage('the slot reports an unsolvable board', '?scramble=1_2_3_4_5_6_8_7_0', async (page) => {
  const lines = await page.evaluate(() => new Promise((resolve) => {
    addEventListener('message', ({ data }) => { if (data !== 'GetContent') resolve(data); });
    postMessage('GetContent', '*');
  }));
  assert.deepEqual(lines, ['-1']);
});

looks('watch', `${EIGHT}&at=7`, (page) => reads(page, '.figure', /^19 moves$/));
looks('watch-hard', `${HARD}&at=46`, async (page) => {
  await page.getByRole('img', { name: /The best solution so far has \d+ moves/ }).waitFor();
  await page.getByRole('button', { name: 'Stop here' }).click();
});
