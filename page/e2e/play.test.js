import assert from 'node:assert/strict';
import { URL, board, boardIs, looks, onPage, reads } from './page.js';

const EIGHT = '#play?board=2+3+4/1+5+0/7+6+8';
const KEYS = { u: 'ArrowDown', d: 'ArrowUp', l: 'ArrowRight', r: 'ArrowLeft' };

async function press(page, moves) {
  for (const letter of moves) await page.keyboard.press(KEYS[letter]);
}

/** Waits until a board has been drawn and the game has started. */
const started = (page) => page.waitForFunction(() => history.state?.game);

onPage('a first visit shows a scrambled 4x4 and the link that restores it', '', async (page) => {
  await page.waitForURL(/seed=\d+/);
  const first = await board(page);
  assert.equal(first.split('/').length, 4);
  await page.reload();
  await boardIs(page, first);
});

onPage('keys, clicks, drags, undo and redo move tiles', EIGHT, async (page) => {
  await page.keyboard.press('ArrowDown');
  await boardIs(page, '2 3 0/1 5 4/7 6 8');
  await page.getByRole('button', { name: /^2, row 1, column 1, can move/ }).click();
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await reads(page, '.chips', /^D R ?2$/);
  const box = await page.getByRole('button', { name: /^1, row 2/ }).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y - box.height / 3, { steps: 5 });
  await page.mouse.up();
  await boardIs(page, '1 2 3/0 5 4/7 6 8');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await boardIs(page, '2 3 0/1 5 4/7 6 8');
  await page.getByRole('button', { name: 'Redo' }).click();
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await reads(page, '.facts', /Moves 3/);
});

onPage('letters move tiles by their place on the keyboard, with Caps Lock too, and Shift moves all tiles up to the edge', EIGHT, async (page) => {
  await page.keyboard.press('S');
  await boardIs(page, '2 3 0/1 5 4/7 6 8');
  await page.keyboard.press('Shift+ArrowRight');
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.keyboard.press('k');
  await boardIs(page, '1 2 3/0 5 4/7 6 8');
  await page.keyboard.press('Control+Z');
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.keyboard.press('Control+y');
  await boardIs(page, '1 2 3/0 5 4/7 6 8');
  await page.getByRole('button', { name: /^5, row 2/ }).focus();
  await page.keyboard.press('Shift+h');
  await boardIs(page, '1 2 3/5 4 0/7 6 8');
});

onPage('a single move has no rate, and the clock and the note agree', '#play?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.keyboard.press('ArrowLeft');
  await reads(page, '.facts', /Moves 1 Moves\/s –/);
  const note = await reads(page, '.message', /Solved in [\d:.]+\./);
  assert.equal(/Solved in ([\d:.]+)\./.exec(note)[1], await page.locator('.clock time').innerText());
});

for (const view of ['play', 'watch', 'race', 'inside']) {
  onPage(`a goal other than the usual one is named in the view ${view}`, `#${view}?board=1+2+3/8+0+4/7+6+5&goal=spiral`, async (page) => {
    await reads(page, '.goal', /^Goal: Spiral$/);
    await page.goto(`${URL}#${view}?board=1+2+3/8+0+4/7+6+5&goal=1+2+3/8+4+*/7+6+*`);
    await reads(page, '.goal', /^Goal: 1 2 3\/8 4 \*\/7 6 \*$/);
  });
}

onPage('a board is one tab stop, and arrows move its tiles', EIGHT, async (page) => {
  await page.getByRole('button', { name: /^4, row 1/ }).focus();
  await page.keyboard.press('ArrowDown');
  // The first move loads the trainer, which leaves the tiles and the focus alone.
  await page.waitForFunction(() => document.querySelector('.controls .btn'));
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^4, row 2, column 3/);
  assert.equal(await page.locator('.board [tabindex="0"]').count(), 1);
  await page.keyboard.press('Enter');
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
});

onPage('a hint names the tile, and the board is solved, timed and reviewed', EIGHT, async (page) => {
  await page.getByRole('button', { name: 'Hint' }).click();
  await reads(page, '.message', /Move \d+ (up|down|left|right)\. 19 moves to go from here\./);
  assert.equal(await page.locator('.tile.hint').count(), 1);
  await press(page, 'lrullddrurdllurduldruldruldrruldr');
  await reads(page, '.message', /Solved in 0:\d\d\.\d\d\./);
  await reads(page, '.review', /33 moves, 14 of them lost/);
  await reads(page, '.review', /Single tiles 33 19 14 Slides 29 14 15/);
  const stopped = await page.locator('.clock time').innerText();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.clock time').innerText(), stopped);
  await page.getByRole('radio', { name: 'Slides' }).check();
  await reads(page, '.review', /Slides 2–3/);
  await page.getByRole('radio', { name: 'Single tiles' }).check();
  await page.getByRole('link', { name: 'Show shorter way' }).first().click();
  await page.waitForURL(/#watch/);
  await reads(page, '.figure', /^18 moves$/);
});

onPage('size, goal and seed reproduce a board', '#play?size=5x3&goal=snake&seed=7', async (page) => {
  await page.getByText('Size, goal and scramble').click();
  const first = await board(page);
  assert.equal(first.split('/').length, 3);
  assert.equal(first.split('/')[0].split(' ').length, 5);
  await page.getByLabel('Goal', { exact: true }).selectOption('first-row');
  await page.waitForURL(/goal=first-row/);
  await page.getByLabel('Width').selectOption('3');
  await page.waitForURL(/size=3x3/);
  await page.getByLabel('Moves from the goal').fill('1');
  await page.keyboard.press('Tab');
  await page.waitForURL(/length=1/);
  await page.getByRole('button', { name: 'Solve from here' }).click();
  await reads(page, '.figure', /^1 move$/);
});

onPage('a swipe on a touch screen moves the tile beside the blank', EIGHT, async (page, context) => {
  const cdp = await context.newCDPSession(page);
  const box = await page.getByRole('button', { name: /^7, row 3/ }).boundingBox();
  const touch = (type, y) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 30, y }] });
  await touch('touchStart', box.y + 30);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', box.y + 30 + step * 12);
  await touch('touchEnd');
  await boardIs(page, '2 3 0/1 5 4/7 6 8');
}, { hasTouch: true, viewport: { width: 390, height: 844 } });

onPage('the page draws the board of a seed as the engine does, before the engine starts', '#play?size=5x4&goal=snake&seed=77', async (page) => {
  const shown = await board(page);
  const goal = '1 2 3 4 5/10 9 8 7 6/11 12 13 14 15/0 19 18 17 16';
  const drawn = await page.evaluate(async (goal) => {
    const { openEngine } = await import(new URL('engine/engine.js', location.href).href);
    const engine = await openEngine();
    return (await engine.call('scramble', { size: '5x4', goal, seed: 77 })).boards[0].board;
  }, goal);
  assert.equal(shown, drawn);
});

onPage('the first board does not wait for the engine', '#learn', async (page, context) => {
  const visit = await context.newPage();
  await visit.route(/healthz|wasm|api/, () => {});
  await visit.goto(URL);
  await visit.getByRole('button', { name: /can move/ }).first().click();
  await reads(visit, '.facts', /Moves [1-3]/);
});

onPage('the board of a link takes the first key, however late its reader arrives', '#learn', async (page, context) => {
  const visit = await context.newPage();
  await visit.route(/game_link/, async (route) => { await new Promise((resolve) => { setTimeout(resolve, 400); }); await route.continue(); });
  await visit.goto(`${URL}#play?board=2+3+4/1+5+0/7+6+8`);
  await visit.locator('.board .tile').first().waitFor();
  await visit.keyboard.press('ArrowDown');
  await reads(visit, '.facts', /Moves 1/);
});

onPage('what a first visit loads is at most 120 KB', '', async (page) => {
  await page.waitForURL(/seed=/);
  // The module that calls the engine is loaded after the first board.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /engine\/(server|wasm)\.js/.test(name)));
  const bytes = await page.evaluate(() => [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
    .filter(({ name }) => !/api|\.wasm|healthz/.test(name)).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0));
  assert.ok(bytes > 20_000 && bytes <= 120_000, `${bytes} bytes`);
});

onPage('a game survives a reload, with its moves and its clock', EIGHT, async (page) => {
  await press(page, 'ull');
  await page.getByRole('button', { name: 'Undo' }).click();
  await boardIs(page, '2 0 3/1 5 4/7 6 8');
  await page.reload();
  await reads(page, '.message', /Your game continues\. The clock runs from your next move\./);
  await boardIs(page, '2 0 3/1 5 4/7 6 8');
  await reads(page, '.facts', /Moves 2/);
  assert.notEqual(await page.locator('.clock time').innerText(), '0:00.00');
  await page.getByRole('button', { name: 'Redo' }).click();
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  for (let undone = 0; undone < 3; undone += 1) await page.getByRole('button', { name: 'Undo' }).click();
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
});

onPage('a game survives a reload for which the browser has lost the state of the entry', EIGHT, async (page) => {
  await press(page, 'ul');
  await page.waitForURL(/moves=ul$/);
  const address = page.url();
  await page.evaluate(() => history.replaceState(null, ''));
  await page.reload();
  await reads(page, '.message', /Your game continues/);
  await reads(page, '.facts', /Moves 2/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForURL(/moves=u$/);
  // A link is no reload: its moves are played.
  await page.goto('about:blank');
  await page.goto(address);
  await boardIs(page, '2 0 3/1 5 4/7 6 8');
  assert.doesNotMatch(await page.locator('.message').innerText(), /continues/);
});

onPage('a move is stored at once, because the page may be gone a moment later', EIGHT, async (page) => {
  await started(page);
  const stored = await page.evaluate(() => {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true }));
    return JSON.parse(sessionStorage.getItem('loyd.games.3'))[0].game.done;
  });
  assert.deepEqual(stored, ['u']);
});

onPage('the clock of a game survives a reload that is over before the page is hidden', EIGHT, async (page) => {
  await started(page);
  await page.evaluate(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation(), { capture: true }));
  await press(page, 'ul');
  await reads(page, '.clock time', /^0:0[1-9]/);
  await page.reload();
  await reads(page, '.message', /Your game continues/);
  await reads(page, '.clock time', /^0:0[1-9]/);
});

onPage('other views take over the current board, and the game continues afterwards', EIGHT, async (page) => {
  await press(page, 'ull');
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.getByRole('link', { name: 'Watch' }).click();
  await page.locator('.watch-view').waitFor();
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.getByRole('link', { name: 'Play' }).click();
  await page.locator('.play-view').waitFor();
  await reads(page, '.facts', /Moves 3/);
  await page.getByRole('button', { name: 'Solve from here' }).click();
  await page.waitForURL(/#watch/);
  await page.goBack();
  await reads(page, '.facts', /Moves 3/);
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
});

onPage('a hint on a large board appears at once, and improves', '#play?size=6x6&seed=5', async (page) => {
  await started(page);
  const start = Date.now();
  await page.getByRole('button', { name: 'Hint' }).click();
  await reads(page, '.message', /Move \d+ (up|down|left|right)\. \d+ moves to go so far\. Looking for fewer…/);
  assert.ok(Date.now() - start < 3000, 'before the end of the search');
  assert.equal(await page.locator('.tile.hint').count(), 1);
  await reads(page, '.message', /The best known solution has \d+ moves; at least \d+ are needed\./);
});

onPage('a copied link has the moves', EIGHT, async (page, context) => {
  await press(page, 'ull');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  const other = await context.newPage();
  await other.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await reads(other, '.facts', /Moves 3/);
  await boardIs(other, '0 2 3/1 5 4/7 6 8');
});

onPage('a scramble during a game can be undone', EIGHT, async (page) => {
  await press(page, 'ull');
  await page.getByRole('button', { name: 'Scramble' }).click();
  await reads(page, '.message', /A new game\. The last one is kept\./);
  await page.waitForURL(/seed=/);
  await page.getByRole('button', { name: 'Back to the last game' }).click();
  await reads(page, '.facts', /Moves 3/);
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^\d, row \d, column \d.*can move/);
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.waitForURL(/board=2\+3\+4\/1\+5\+0\/7\+6\+8&moves=ull$/);
  await page.goForward();
  await page.waitForURL(/seed=/);
  await reads(page, '.facts', /Moves 0/);
});

onPage('a game of another size does not change the game that it interrupts', '#play?size=4x4&seed=5', async (page) => {
  await started(page);
  await press(page, 'udlr');
  await page.waitForURL(/moves=/);
  await page.waitForTimeout(800);
  const first = page.url();
  await page.getByText('Size, goal and scramble').click();
  await page.getByLabel('Width').selectOption('3');
  await page.waitForURL(/size=3x4/);
  for (let scrambles = 0; scrambles < 9; scrambles += 1) {
    const before = page.url();
    await page.getByRole('button', { name: 'Scramble' }).click();
    await page.waitForURL((url) => url.href !== before);
  }
  await page.goBack();
  await page.waitForURL(first);
  await reads(page, '.message', /Your game continues/);
  assert.equal((await board(page)).split('/').length, 4);
  assert.ok(!(await page.getByRole('button', { name: 'Undo' }).isDisabled()));
});

onPage('a game that was left does not count', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await press(page, 'udlr');
  await page.waitForURL(/moves=/);
  await page.reload();
  await reads(page, '.message', /Your game continues/);
  for (const round of ['uldr', 'ldru', 'drul', 'ruld', 'ulrd', 'lurd', 'dlur', 'rdlu']) {
    for (let turn = 0; turn < 26 && !(await page.locator('.note.good').count()); turn += 1) await press(page, round[turn % 4]);
  }
  await reads(page, '.review', /\d+ moves?, /);
  assert.doesNotMatch(await page.locator('.message').innerText(), /Your best/);
  await page.getByText('Times and averages').click();
  await reads(page, '.session', /No solves yet/);
});

onPage('moves of a link can be undone one by one', `${EIGHT}&moves=ull`, async (page) => {
  await boardIs(page, '0 2 3/1 5 4/7 6 8');
  await page.getByRole('button', { name: 'Undo' }).click();
  await boardIs(page, '2 0 3/1 5 4/7 6 8');
});

onPage('a solved board stays playable after a reload', '#play?board=1+2+3/4+5+6/7+8+0', async (page) => {
  await page.waitForTimeout(600);
  await page.reload();
  await boardIs(page, '1 2 3/4 5 6/7 8 0');
  await press(page, 'u');
  await boardIs(page, '1 2 3/4 5 0/7 8 6');
});

onPage('numbers are checked before a board is drawn', EIGHT, async (page) => {
  await page.getByText('Size, goal and scramble').click();
  await page.getByLabel('Seed').fill('hello');
  await page.keyboard.press('Tab');
  await reads(page, '.message', /“hello” is not a seed/);
  assert.equal(await page.getByLabel('Seed').getAttribute('aria-invalid'), 'true');
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
});

onPage('damaged records of games are ignored', EIGHT, async (page) => {
  await press(page, 'ull');
  await page.waitForURL(/moves=ull/);
  for (const damage of ['{}', '[{}]', 'x']) {
    await page.evaluate((text) => {
      addEventListener('pagehide', () => sessionStorage.setItem('loyd.games.3', text));
    }, damage);
    await page.reload();
    await reads(page, '.facts', /Moves 3/);
    await boardIs(page, '0 2 3/1 5 4/7 6 8');
  }
});

for (const [link, fault] of [
  ['#play?board=banana', /This link cannot be opened\. There are no tiles here\./], ['#play?size=4by4', /“4by4” is not a size/],
  ['#play?seed=abc', /“abc” is not a seed/], ['#play?goal=north', /“north” is not a goal for 4x4/],
  [`${EIGHT}&moves=dd`, /The moves in this link do not fit its board\./], [`${EIGHT}&moves=xyz`, /letters other than u, d, l and r/], ['#chess', /There is no view “chess”/], ['#constructor', /There is no view “constructor”/],
]) {
  onPage(`the page says what is wrong with the link ${link}`, link, async (page) => {
    await reads(page, '.message', fault);
    assert.doesNotMatch(page.url(), /seed=\d/);
    await page.getByRole('button', { name: 'Scramble' }).click();
    await page.waitForURL(/seed=\d/);
  });
}

onPage('a seed that JavaScript would round is refused', '#play?seed=9007199254740993', async (page) => {
  await reads(page, '.message', /“9007199254740993” is not a seed\. A seed is a whole number of at most 9,007,199,254,740,991\./);
});

onPage('a link may have a board in any form', `#play?${new URLSearchParams({ board: '[[1,2,3],[4,5,6],[7,9,8]]' })}`, async (page) => {
  await boardIs(page, '1 2 3/4 5 6/7 0 8');
});

looks('play', EIGHT, async (page) => {
  await page.getByRole('button', { name: /^4, row 1/ }).waitFor();
  await press(page, 'lrullddrurdllurduldruldruldrruldr');
  await reads(page, '.review', /33 moves, 14 of them lost/);
});
looks('play-wide', '#play?size=10x10&seed=5', async (page) => {
  await page.waitForURL(/seed=5/);
  await page.getByText('Size, goal and scramble').click();
});
