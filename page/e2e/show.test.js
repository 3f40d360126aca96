// Showing boards to others: in full screen, in frames of other sites, as pictures, in sets, with hidden answers.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardIs, eventually, fits, isAccessible, onPage, otherSite, reads, URL } from './page.js';

const site = otherSite('<iframe width="800" height="640"></iframe>');

const EIGHT = '#watch?board=2+3+4/1+5+0/7+6+8';
const SCREEN = { viewport: { width: 1920, height: 1080 } };
const sizeOf = (page, selector) => page.locator(selector).first().evaluate((element) => ({ height: element.getBoundingClientRect().height, text: parseFloat(getComputedStyle(element).fontSize) }));

for (const [view, link] of [['play', '#play?board=2+3+4/1+5+0/7+6+8'], ['watch', EIGHT], ['inside', '#inside?step=5'], ['learn', '#learn?page=bfs']]) {
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

const HARDEST = '#watch?board=0+12+9+13/15+11+10+14/3+7+2+5/4+8+6+1&moves=';
/** 80 moves around the edge. */
const MOVES = `${'dddrrruuulll'.repeat(6)}dddrrruu`;

/** Presses a button of Export and returns the file that it saves. */
async function exported(page, name) {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: saved.suggestedFilename(), data: readFileSync(await saved.path()) };
}

/** Decodes a picture in the page: {count, at, ms}, the number of frames, and the colours of all cells and the durations of some of them. */
const decoded = (page, data, type, frames) => page.evaluate(async ([bytes, type, frames]) => {
  const decoder = new ImageDecoder({ data: Uint8Array.from(bytes), type });
  await decoder.completed;
  const [at, ms] = [[], []];
  for (const frameIndex of frames) {
    const { image } = await decoder.decode({ frameIndex });
    const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
    context.drawImage(image, 0, 0);
    ms.push(image.duration / 1000);
    const [stepX, stepY] = [image.displayWidth / 4, image.displayHeight / 4];
    // A point of each cell that is above its number.
    at.push(Array.from({ length: 16 }, (_, cell) => [...context.getImageData(((cell % 4) + 0.5) * stepX, (Math.floor(cell / 4) + 0.2) * stepY, 1, 1).data.slice(0, 3)].join()));
  }
  return { count: decoder.tracks.selectedTrack.frameCount, at, ms };
}, [[...data], type, frames]);

const [AWAY, TRAY] = ['255,255,255', '230,234,232'];

onPage('a solution is exported as a picture, an animated SVG and an animated GIF', HARDEST + MOVES, async (page) => {
  await reads(page, '.at', /^0 of 80$/);
  await page.getByText('Export').click();
  const picture = await exported(page, 'PNG of this board');
  assert.equal(picture.name, 'loyd-4x4-move-0.png');
  const first = (await decoded(page, picture.data, 'image/png', [0])).at[0];
  assert.deepEqual(first, [TRAY, ...new Array(15).fill(AWAY)]);

  const gif = await exported(page, 'Animated GIF');
  assert.equal(gif.name, 'loyd-4x4-80-moves.gif');
  assert.ok(gif.data.length < 1_000_000, `${gif.data.length} bytes`);
  const film = await decoded(page, gif.data, 'image/gif', [0, 9, 18, 240]);
  assert.equal(film.count, 1 + 3 * 80);
  const blanks = film.at.map((colours) => colours.indexOf(TRAY));
  assert.deepEqual(blanks, [0, 12, 15, 7]);
  assert.deepEqual(film.ms, [1000, 180, 180, 2500]);
  assert.ok(film.at.every((colours) => colours.filter((colour) => colour === TRAY).length === 1));

  const svg = await exported(page, 'Animated SVG');
  assert.ok(svg.data.length < 200_000, `${svg.data.length} bytes`);
  await reads(page, 'details [role=status]', /^Saved loyd-4x4-80-moves\.svg\. \d+ KB\.$/);
});

onPage('an exported SVG is a valid picture that moves', '#learn', async (page, context) => {
  await page.goto(`${URL}${EIGHT}`);
  await reads(page, '.figure', /^19 moves$/);
  await page.getByText('Export').click();
  const { data } = await exported(page, 'Animated SVG');
  writeFileSync(join(site.folder, 'solution.svg'), data);
  const shown = await context.newPage();
  await shown.goto(`${site.address}solution.svg`);
  const places = () => shown.evaluate(() => [...document.querySelectorAll('g[class^=t]')].map((tile) => [tile.textContent.slice(0, 1), Math.round(tile.getBoundingClientRect().left), Math.round(tile.getBoundingClientRect().top)].join()));
  const before = await places();
  await shown.evaluate(() => { for (const animation of document.getAnimations()) Object.assign(animation, { currentTime: 8000 }).pause(); });
  const after = await places();
  assert.equal(after.length, 8);
  assert.notDeepEqual(after, before);
  // At the end the tiles are in order, and all of them are filled.
  const ordered = [...after].sort((a, b) => { const [, ax, ay] = a.split(',').map(Number); const [, bx, by] = b.split(',').map(Number); return ay - by || ax - bx; });
  assert.equal(ordered.map((text) => text[0]).join(''), '12345678');
  assert.ok(await shown.evaluate(() => [...document.querySelectorAll('g[class^=h]')].every((tile) => getComputedStyle(tile).opacity === '1')));
});

onPage('an animation that would be too long is refused', `#watch?board=1+2/3+0&moves=${'RDLU'.repeat(260)}`, async (page) => {
  await reads(page, '.at', /^0 of 1040$/);
  await page.getByText('Export').click();
  await page.getByRole('button', { name: 'Animated GIF' }).click();
  await reads(page, 'details [role=status]', /There are 1040 moves\. An animation has at most 1000\./);
});

onPage('the code to embed shows the same solution in a page of another site', `${EIGHT}&at=7`, async (page, context) => {
  await reads(page, '.at', /^7 of 19$/);
  await page.getByText('Export').click();
  await page.getByRole('button', { name: 'Copy code to embed' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  writeFileSync(join(site.folder, 'code.html'), `<!doctype html><title>Embedded</title><link rel="icon" href="data:,">${code}`);
  const other = await context.newPage();
  await other.goto(`${site.address}code.html`);
  await other.frameLocator('iframe').getByText('7 of 19').waitFor();
});

onPage('an answer stays hidden until the reader requests it, with its length, moves and proof', `${EIGHT}&hide=1&at=4`, async (page) => {
  await reads(page, '.panel:visible', /^The answer is hidden The search has ended\. Show the answer$/);
  const text = await page.locator('.watch').innerText();
  assert.doesNotMatch(text, /19|Proved|moves/);
  assert.doesNotMatch(await page.locator('.board').getAttribute('aria-label'), /19|move/);
  assert.equal(await page.locator('#live').innerText(), '');
  assert.deepEqual([await page.locator('.chip:visible').count(), await page.getByRole('slider').count()], [0, 0]);
  await page.keyboard.press('ArrowRight');
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await isAccessible(page);
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await reads(page, '.figure', /^19 moves$/);
  await reads(page, '.at', /^0 of 19$/);
  assert.match(page.url(), /hide=1/);
  await page.keyboard.press('ArrowRight');
  await reads(page, '.at', /^1 of 19$/);
  await page.getByRole('button', { name: 'Hide it again' }).click();
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await page.reload();
  await page.getByRole('button', { name: 'Show the answer' }).waitFor();
  await page.getByLabel('Hide the answer').uncheck();
  await reads(page, '.figure', /^19 moves$/);
  await page.waitForURL((address) => !address.hash.includes('hide'));
});

onPage('a damaged board is reported even if the answer is hidden', '#watch?board=1+2+3/4+5+5/7+8+0&hide=1', (page) => reads(page, '.panel:visible .note.bad', /Tile 5 appears twice/));

const SET = 'set=2+3+4/1+5+0/7+6+8;1+2+3/4+0+5/7+8+6;1+2+3+4/5+6+7+8/9+10+11+12/13+14+0+15';
const counter = '.set-bar [role=status]';

onPage('a set of boards is played one after the other, and a started game continues', `#play?${SET}&goal=snake`, async (page) => {
  await reads(page, counter, /^Board 1 of 3$/);
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  assert.ok(await page.getByRole('button', { name: 'Previous' }).isDisabled());
  await page.goto(`${URL}#play?${SET}`);
  await page.getByRole('button', { name: /^8, row 3/ }).click();
  await boardIs(page, '2 3 4/1 5 8/7 6 0');
  await page.getByRole('button', { name: 'Next' }).click();
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
  await page.waitForURL(/number=2/);
  await page.keyboard.press('Enter');
  await boardIs(page, '1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15');
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled());
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Previous');
  await page.waitForURL(/number=3/);
  await page.reload();
  await reads(page, counter, /^Board 3 of 3$/);
  await boardIs(page, '1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15');
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('button', { name: /^5, row 2/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await reads(page, counter, /^Board 3 of 3$/);
  await page.getByRole('button', { name: 'Previous' }).click();
  await boardIs(page, '1 2 3/4 5 0/7 8 6');
  await reads(page, '.facts', /Moves 1/);
  await page.waitForURL(/set=[^&]*&number=2$|number=2/);
  await isAccessible(page);
});

onPage('in Watch, the next board of a set keeps the settings, hides its answer, and does not leave the full screen', `#watch?${SET}&hide=1&speed=4`, async (page) => {
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await reads(page, '.figure', /^19 moves$/);
  await page.getByRole('button', { name: 'Next' }).click();
  await reads(page, '.panel:visible', /The answer is hidden The search has ended/);
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await reads(page, '.figure', /^2 moves$/);
  assert.ok(await page.getByRole('radio', { name: '4×' }).isChecked());
  assert.equal(await page.evaluate(() => document.fullscreenElement?.id), 'main');
  await page.waitForURL(/number=2/);
  const hash = await page.evaluate(() => location.hash);
  assert.deepEqual([...new URLSearchParams(hash.slice(7)).keys()].sort(), ['hide', 'number', 'set', 'speed']);
  await page.goBack();
  await reads(page, counter, /^Board 1 of 3$/);
});

onPage('a board in place of that of a set is named, and the own board can be shown again', '#play?set=2,3,4,1,5,0,7,6,8;1+2+3/4+0+5/7+8+6', async (page) => {
  await page.waitForFunction(() => history.state?.game);
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await page.keyboard.press('ArrowDown');
  await boardIs(page, '2 3 0/1 5 4/7 6 8');
  await page.getByRole('button', { name: 'Solve from here' }).click();
  await page.locator('.watch-view .tile').first().waitFor();
  await reads(page, '.set-bar', /Board 1 of 2, replaced by another/);
  await page.goBack();
  await page.locator('.play-view .tile').first().waitFor();
  await reads(page, '.set-bar', /Board 1 of 2( |$)/);
  await page.getByRole('button', { name: 'Scramble' }).click();
  await reads(page, '.set-bar', /Board 1 of 2, replaced by another/);
  await page.getByRole('button', { name: 'Back to its board' }).click();
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await reads(page, '.set-bar', /Board 1 of 2( |$)/);
});

onPage('a damaged set names the boards that cannot be read, and shows the others', '#watch?set=2+3+4/1+5+0/7+6+8;1+2+3/4+5+5/7+8+0;1+2/3+0&number=9', async (page) => {
  await reads(page, '.set-bar', /There is no board “9” in this set; it has boards 1 to 3\. One board of this set is damaged\. Board 2: Tile 5 appears twice \(cells 5 and 6\)\. Tile 6 is missing\./);
  await reads(page, '.figure', /^19 moves$/);
  await page.getByRole('button', { name: 'Next' }).click();
  await reads(page, '.watch .note.bad', /Tile 5 appears twice/);
  await page.getByRole('button', { name: 'Next' }).click();
  await boardIs(page, '1 2/3 0');
});

onPage('a set is made from lines; bad lines are reported by number and left out', '#enter', async (page, context) => {
  await page.getByText('A set of boards').click();
  const lines = ['2 3 4/1 5 0/7 6 8', 'banana', '', '[[1,2,3],[4,5,6],[7,9,8]]', '1 2 3/4 5 6/8 7 0', '1 1/2 0'];
  await page.getByLabel('One board per line').fill(lines.join('\n'));
  await reads(page, 'details:has(textarea) [role=status]', /^These lines are left out\. Line 2: There are no tiles here\. Line 6: Tile 1 appears twice .* These boards cannot be solved\. They are in the set\. Line 5\. 3 boards in the set\. Copy link of the set/);
  await isAccessible(page);
  await page.getByRole('button', { name: 'Copy link of the set' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  // The text survives a visit to another view.
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.locator('.learn-view .board .tile').first().waitFor();
  await page.getByRole('link', { name: 'Enter' }).click();
  await page.getByText('A set of boards').click();
  await eventually(async () => assert.equal(await page.getByLabel('One board per line').inputValue(), lines.join('\n')));
  await reads(page, 'details:has(textarea) [role=status]', /3 boards in the set/);
  const other = await context.newPage();
  await other.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await reads(other, counter, /^Board 1 of 3$/);
  await other.getByRole('button', { name: 'Next' }).click();
  await boardIs(other, '1 2 3/4 5 6/7 0 8');
  await page.getByLabel('One board per line').fill(new Array(55).fill('1 2/3 0').join('\n'));
  await reads(page, 'details:has(textarea) [role=status]', /Line 51 and the lines after it: a set has at most 50 boards\. 50 boards in the set\./);
});

onPage('copying the code to embed warns if the server forbids frames', `${EIGHT}&at=7`, async (page) => {
  await page.route(`${URL}embed.html`, (route) => route.fulfill({ headers: { 'content-security-policy': "default-src 'self'; frame-ancestors 'none'" } }));
  await reads(page, '.at', /^7 of 19$/);
  await page.getByText('Export').click();
  await page.getByRole('button', { name: 'Copy code to embed' }).click();
  await reads(page, 'details [role=status]', /This server does not let other pages show it yet\. Start it with loyd serve --allow-embed and the address of your site\./);
});
