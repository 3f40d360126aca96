// The element <loyd-board> in Chromium, from a static server without a build step.
import assert from 'node:assert/strict';
import { boardIs, isAccessible, fits, looks, onPage, reads, URL } from '../../page/e2e/page.js';
import { blocksOf } from './documents.js';

const EXAMPLE = 'node_modules/loyd/example.html';
const READY = { ready: '#play .tile' };
const START = '5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12';
const SOLVED = '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0';

const onExample = (name, check, options = {}) => onPage(name, EXAMPLE, check, { ...READY, ...options });

/** Collects the details of the events of the first board. */
const listen = (page) => page.evaluate(() => {
  globalThis.events = [];
  for (const name of ['move', 'solved']) document.addEventListener(name, ({ detail }) => globalThis.events.push([name, detail.moves, detail.by, detail.length]));
});
const events = (page) => page.evaluate(() => globalThis.events);
const attribute = (page, name, selector = '#play') => page.locator(selector).getAttribute(name);
const press = (page, name, selector = '#play') => page.locator(selector).getByRole('button', { name, exact: true }).click();

onExample('the keyboard moves tiles, and the board is reflected', async (page) => {
  await listen(page);
  await page.locator('#play').evaluate((element) => element.focus());
  await page.keyboard.press('ArrowDown');
  await boardIs(page, '5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12', '#play .board');
  assert.equal(await attribute(page, 'board'), '5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12');
  await page.keyboard.press('KeyS');
  await page.keyboard.press('Tab');
  assert.deepEqual(await events(page), [['move', 'u', 'reader', 1], ['move', 'u', 'reader', 2]]);
  await reads(page, '#play [part=counter]', /^2 moves$/);
  await press(page, 'Undo');
  assert.equal(await attribute(page, 'board'), '5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12');
  await press(page, 'Reset');
  await boardIs(page, START, '#play .board');
});

onExample('the pointer slides tiles', async (page) => {
  await listen(page);
  await page.locator('#play .tile', { hasText: /^9$/ }).click();
  await boardIs(page, '5 1 2 4/0 6 3 8/9 10 7 11/13 14 15 12', '#play .board');
  const box = await page.locator('#play .tile', { hasText: /^6$/ }).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await boardIs(page, '5 1 2 4/6 0 3 8/9 10 7 11/13 14 15 12', '#play .board');
  assert.deepEqual((await events(page)).map(([, moves]) => moves), ['uu', 'r']);
});

onExample('touch slides tiles', async (page) => {
  await page.locator('#play .tile', { hasText: /^13$/ }).tap();
  await boardIs(page, '5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12', '#play .board');
}, { hasTouch: true });

onExample('Hint marks a tile, and Solve animates a shortest solution', async (page) => {
  await listen(page);
  await press(page, 'Hint');
  await reads(page, '#play [part=status]', /^Tile 13 goes down: 9 moves to the goal\.$/);
  assert.equal(await page.locator('#play .tile.hint').innerText(), '13');
  await page.locator('#play').evaluate((element) => { element.speed = 40; });
  await press(page, 'Solve');
  await reads(page, '#play [part=status]', /^Solved in 9 moves\.$/);
  await boardIs(page, SOLVED, '#play .board');
  assert.equal(await attribute(page, 'solved'), '');
  const found = await events(page);
  assert.equal(found.length, 10);
  assert.deepEqual(found.at(-1), ['solved', 'uuurrddrd', 'animation', 9]);
});

onExample('the reader interrupts an animation', async (page) => {
  await page.locator('#play').evaluate((element) => {
    // The next move would come after the test.
    element.speed = 0.001;
    globalThis.end = element.animateMoves();
  });
  await page.locator('#play .tile.moved').waitFor();
  await page.locator('#play .tile', { hasText: /^14$/ }).evaluate((tile) => tile.getRootNode().host.focus());
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => globalThis.end), false);
  await boardIs(page, START, '#play .board');
});

onExample('methods: scramble, move and solve', async (page) => {
  const result = await page.locator('#play').evaluate(async (element) => {
    await element.scramble({ length: 5, seed: 2 });
    const { board } = element;
    const answer = await element.solve();
    const isSame = element.board === board;
    const isPossible = element.move(answer.moves);
    return { length: answer.length, isSame, isPossible, solved: element.solved, moves: element.moves === answer.moves, wrong: element.move('x') };
  });
  assert.deepEqual(result, { length: 5, isSame: true, isPossible: true, solved: true, moves: true, wrong: false });
});

onExample('a call is cancelled by its signal and by another call', async (page) => {
  const names = await page.locator('#play').evaluate(async (element) => {
    element.board = '24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0';
    await element.ready;
    const abort = new AbortController();
    const nameOf = ({ name }) => name;
    const first = element.solve({ quality: 'optimal' }).catch(nameOf);
    const second = element.solve({ quality: 'optimal', signal: abort.signal, onEvent: () => abort.abort() }).catch(nameOf);
    return [await first, await second, element.shadowRoot.querySelector('[part=status]').textContent];
  });
  assert.deepEqual(names, ['AbortError', 'AbortError', '']);
});

onExample('boards and goals in other forms, unsolvable boards, and faults', async (page) => {
  const play = page.locator('#play');
  await play.evaluate((element) => { element.board = new Uint8Array([1, 2, 3, 4, 5, 6, 8, 7, 0]); });
  await press(page, 'Solve');
  await reads(page, '#play [part=status]', /^This board cannot reach its goal, but .*spiral.*\.$/);
  await play.evaluate((element) => { element.board = '3\n1 2 3\n4 5 6\n7 9 8'; });
  await boardIs(page, '1 2 3/4 5 6/7 0 8', '#play .board');
  await play.evaluate((element) => { element.board = '1 2 3 3'; });
  await reads(page, '#play .note', /Tile 3 appears twice/);
  await play.evaluate((element) => { element.board = '1 2/0 3'; });
  await boardIs(page, '1 2/0 3', '#play .board');
  assert.equal(await play.locator('.note').count(), 0);
  await play.evaluate((element) => { element.goal = 'sideways'; });
  await reads(page, '#play .note', /The goal “sideways” is neither/);
});

onExample('a board that is only to be watched cannot be moved', async (page) => {
  const before = await attribute(page, 'board', '#watch');
  assert.equal(await page.locator('#watch .board').getAttribute('role'), 'img');
  await page.locator('#watch .tile').first().click();
  assert.equal(await attribute(page, 'board', '#watch'), before);
});

onExample('tiles have names, and moves are announced', async (page) => {
  await page.locator('#play').getByRole('group', { name: /^Sliding puzzle, 4 by 4/ }).waitFor();
  const tile = page.locator('#play').getByRole('button', { name: '13, row 3, column 1, can move' });
  await tile.press('Enter');
  await reads(page, '#play [role=status].vh', /^13 down$/);
});

onExample('with reduced motion, tiles do not slide', async (page) => {
  await page.locator('#play').evaluate((element) => element.move('u'));
  assert.equal(await page.locator('#play .board').evaluate((board) => board.style.getPropertyValue('--time')), '0ms');
}, { reducedMotion: 'reduce' });

onExample('custom properties of the page colour the tiles', async (page) => {
  const colour = (selector) => page.locator(`${selector} .tile.home`).first().evaluate((tile) => getComputedStyle(tile).backgroundColor);
  assert.equal(await colour('.plain'), 'rgb(217, 210, 197)');
  assert.notEqual(await colour('#play'), await colour('.plain'));
}, { colorScheme: 'light' });

onExample('better and better solutions are listed', async (page) => {
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.locator('tbody tr').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await reads(page, '#message', /^Cancelled\.$/);
});

looks('example', EXAMPLE, async (page) => page.locator('#play .tile').first().waitFor(), READY);

onPage('modules of another origin work', 'blank.html', async (page, context) => {
  const other = await context.newPage();
  // A content delivery network, whose files any page may import.
  await other.route('https://cdn.test/**', async (route) => {
    const { pathname } = new globalThis.URL(route.request().url());
    const response = await route.fetch({ url: URL + pathname.slice(1) });
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
  });
  await other.goto(`${URL}blank.html`);
  assert.equal(await other.evaluate(async () => (await (await import('https://cdn.test/node_modules/loyd/index.js')).solve('2 3 4/1 5 0/7 6 8')).length), 19);
}, { ready: 'p' });

const blocks = blocksOf('html');

for (const { name, text } of blocks) {
  onPage(name, 'blank.html', async (page) => {
    await page.setContent(`<!doctype html><html lang="en"><title>An example</title><main><h1>An example</h1>${text}</main>`);
    await page.locator('loyd-board .tile, output:not(:empty)').first().waitFor();
    await fits(page);
    await isAccessible(page);
  }, { ready: 'p' });
}
