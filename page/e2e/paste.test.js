import assert from 'node:assert/strict';
import { URL, boardIs, fits, isAccessible, looks, onPage, reads } from './page.js';

const BEFORE = 'board=2+3+4/1+5+0/7+6+8';
const EIGHT = { play: `#play?${BEFORE}`, watch: `#watch?${BEFORE}`, race: `#race?${BEFORE}&rows=bfs` };
const PRESS = { play: 'Play this board', watch: 'Watch', race: 'Race' };
const READ = '1 2 3/4 5 6/7 0 8';

/** Pastes a text into the page. */
async function paste(page, text) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+V');
}

for (const [view, link] of Object.entries(EIGHT)) {
  onPage(`boards in any form can be pasted into the view ${view}`, link, async (page) => {
    await page.waitForURL(/board=2/);
    for (const [text, note] of [
      ['1 2 3\n4 5 6\n7 0 8', /3 × 3$/], ['1\t2\t3\n4\t5\t6\n7\t\t8', /3 × 3 Loyd read the gap in row 3, column 2 as the blank\./],
      ['| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | | 8 |', /as the blank/], ['> 1 2 3\n> 4 5 6\n> 7 0 8', /3 × 3$/], ['“1 2 3 4 5 6 7 0 8”', /3 × 3$/],
      [`See ${URL}#inside?board=1+2+3/4+5+6/7+0+8&step=3`, /3 × 3$/], [`${URL}#play?board=1+2+3/4+0+6/7+5+8&moves=d`, /3 × 3/],
      ['https://slidysim.github.io/?scramble=1_2_3_4_5_6_7_0_8', /3 × 3$/],
    ]) {
      await paste(page, text);
      await reads(page, '.pasted [role=status]', note);
      await boardIs(page, READ, '.pasted .board');
      assert.ok(await page.getByRole('button', { name: PRESS[view], exact: true }).evaluate((button) => button === document.activeElement));
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('.pasted').waitFor({ state: 'detached' });
    }
    assert.match(page.url(), /board=2\+3\+4/);
    await boardIs(page, '2 3 4/1 5 0/7 6 8');
    await paste(page, READ);
    await page.getByRole('button', { name: PRESS[view], exact: true }).click();
    await page.waitForURL(/board=1\+2\+3\/4\+5\+6\/7\+0\+8/);
    await boardIs(page, READ);
    if (view === 'race') assert.match(page.url(), /rows=bfs/);
  });

  onPage(`a text without a board changes nothing in the view ${view}`, link, async (page) => {
    await page.waitForURL(/board=2/);
    const logged = [];
    // With WebAssembly there is no server, and the browser logs that.
    page.on('console', (message) => message.location().url.includes('healthz') || logged.push(message.text()));
    for (const [text, fault] of [['hello', /The pasted text has no board\. There are no tiles here\./], ['1 2 3/4 5 5/7 8 0', /Tile 5 appears twice/],
      ['1 2 3 4 5', /5 cells do not make a square/], [`${URL}#learn?page=bfs`, /This link has no board\./], ['9 '.repeat(60_000), /120,000 characters; at most 100,000/]]) {
      await paste(page, text);
      await reads(page, '.pasted', fault);
    }
    await isAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
    assert.match(page.url(), /board=2\+3\+4/);
    await boardIs(page, '2 3 4/1 5 0/7 6 8');
    assert.deepEqual(logged, []);
  });
}

onPage('a pasted link keeps its moves, its goal and its size', EIGHT.watch, async (page) => {
  await paste(page, `${URL}#watch?board=1+2+3+4+5+0&size=3x2&goal=columns&moves=RDL`);
  await reads(page, '.pasted', /3 × 2 With the moves of the link/);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await reads(page, '.goal', /Down the columns/);
  await reads(page, '.figure', /^3 moves$/);
  await page.getByRole('link', { name: 'Play' }).click();
  await page.locator('.play-view').waitFor();
  await paste(page, `${URL}#play?board=2+3+4/1+5+0/7+6+8&moves=ull`);
  await boardIs(page, '0 2 3/1 5 4/7 6 8', '.pasted .board');
  await page.getByRole('button', { name: 'Play this board' }).click();
  await reads(page, '.facts', /Moves 3/);
});

onPage('a pasted link of a set opens the set', EIGHT.play, async (page) => {
  const set = 'set=1+2+3/4+5+6/7+0+8;1+2+3/4+0+6/7+5+8&number=2';
  await paste(page, `${URL}#watch?${set}`);
  await boardIs(page, '1 2 3/4 0 6/7 5 8', '.pasted .board');
  await page.getByRole('button', { name: 'Play this board' }).click();
  await reads(page, '.set-bar', /Board 2 of 2/);
  await boardIs(page, '1 2 3/4 0 6/7 5 8');
  await page.goto(`${URL}#race?${BEFORE}`);
  await page.locator('.race-view').waitFor();
  await paste(page, `${URL}#play?${set}`);
  await page.getByRole('button', { name: 'Race', exact: true }).click();
  await page.waitForURL(/#race\?board=1\+2\+3\/4\+0\+6\/7\+5\+8/);
  await paste(page, `${URL}#play?set=1+2+3/4+5+6/7+0+8&number=3`);
  await reads(page, '.pasted', /There is no board “3” in this set/);
});

onPage('a text pasted into a field stays there', EIGHT.race, async (page) => {
  await page.getByText('Type a board').click();
  const field = page.getByLabel('Board', { exact: true });
  await field.fill('');
  await field.focus();
  await paste(page, READ);
  assert.equal(await field.inputValue(), READ);
  assert.equal(await page.locator('.pasted').count(), 0);
  await page.getByRole('radio', { name: 'Memory' }).focus();
  await paste(page, READ);
  await boardIs(page, READ, '.pasted .board');
});

onPage('Enter takes a pasted text at once, and reads links', '#enter?board=2+3+4/1+5+0/7+6+8', async (page) => {
  await paste(page, '1\t2\t3\n4\t5\t6\n7\t\t8');
  await boardIs(page, READ);
  await reads(page, '.enter', /Loyd read the gap in row 3, column 2 as the blank\./);
  await page.getByLabel('Board', { exact: true }).fill(`${URL}#watch?board=2+3+4/1+5+0/7+6+8&goal=snake&moves=u`);
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await page.waitForURL(/goal=snake/);
  await page.getByLabel('Board', { exact: true }).fill(`${URL}#learn?page=bfs`);
  await reads(page, '#verdict', /This link cannot be opened\. This link has no board\./);
});

onPage('the wait for a busy server is shown, and a view that was left does nothing afterwards', EIGHT.play, async (page) => {
  let isBusy = true;
  await page.route('**/api/v1/convert', (route) => (isBusy
    ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, contentType: 'application/json', body: '{"error":"busy","place":3}' }) : route.continue()));
  const onServer = await page.evaluate(() => fetch('healthz').then(({ ok }) => ok));
  await paste(page, '1\t2\t3\n4\t5\t6\n7\t\t8');
  if (onServer) await reads(page, '.pasted', /All workers are busy\. You are number 3 in line\./);
  isBusy = false;
  await boardIs(page, READ, '.pasted .board');
  isBusy = true;
  await page.goto(`${URL}#race?${new URLSearchParams({ board: '[[1,2,3],[4,5,6],[7,0,8]]' })}`);
  await page.locator('.race-view').waitFor();
  await page.goto(`${URL}#race?${BEFORE}`);
  isBusy = false;
  await page.waitForURL(/board=2\+3\+4\/1\+5\+0\/7\+6\+8/);
  await page.waitForTimeout(1500);
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  assert.match(page.url(), /board=2\+3\+4\/1\+5\+0/);
});

looks('paste', EIGHT.play, async (page) => {
  await paste(page, '1\t2\t3\n4\t5\t6\n7\t\t8');
  await boardIs(page, READ, '.pasted .board');
});
onPage('an offer fits a narrow window', EIGHT.play, async (page) => {
  await paste(page, Array.from({ length: 256 }, (_, tile) => tile).join(' '));
  await page.getByRole('button', { name: 'Play this board' }).waitFor();
  await fits(page);
}, { viewport: { width: 320, height: 512 } });

for (const [link, selector, expected] of [
  ['#race?rows=foo,bfs', '.race-view', /A part of this link is damaged and left out\. There is no row “foo”\..*Breadth-first/],
  ['#race?by=age&size=99x1', '.race-view', /“age” is not a measure\. “99x1” is not a size/],
  ['#inside?algorithm=foo&step=x', '.inside-view', /“foo” is not an algorithm\. “x” is not a number of a step\./],
  ['#watch?goal=foo', '.watch-view', /“foo” is not a goal of this size\./],
  ['#enter?size=x', '.enter-view', /“x” is not a size/],
  ['#learn?page=foo', '.learn-view', /“foo” is not a lesson/],
  ['#race?board=hello', '.race-view', /The board in this link cannot be read\. There are no tiles here\./],
  ['#learn?board=hello', '.learn-view', /The board in this link cannot be read\. There are no tiles here\./],
]) onPage(`the damage of the link ${link} is named, and the view is shown`, link, (page) => reads(page, selector, expected));

onPage('messages of one view are not left to screen readers of the next', '#watch?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.waitForFunction(() => document.getElementById('live').textContent !== '');
  await page.getByRole('link', { name: 'Play' }).click();
  await page.locator('.play-view .tile').first().waitFor();
  assert.equal(await page.locator('#live').innerText(), '');
});
