import assert from 'node:assert/strict';
import { board, boardIs, eventually, fits, isAccessible, looks, onPage, reads } from './page.js';

const KEYS = { u: 'ArrowDown', d: 'ArrowUp', l: 'ArrowRight', r: 'ArrowLeft' };

async function press(page, moves) {
  for (const letter of moves) await page.keyboard.press(KEYS[letter]);
}

const started = (page) => page.waitForFunction(() => history.state?.game);

/** Solves a 2x2 board, until a text appears: its tiles move in a circle, and one of the two directions leads home. */
async function solveSmall(page, selector = '.message', expected = /Solved in/) {
  const isOver = async () => expected.test(await page.locator(selector).innerText());
  for (const round of ['uldr', 'ldru', 'drul', 'ruld', 'ulrd', 'lurd', 'dlur', 'rdlu']) {
    for (let turn = 0; turn < 28 && !(await isOver()); turn += 1) await press(page, round[turn % 4]);
  }
  await reads(page, selector, expected);
}

/** Stores solves as [ms, number of moves, dnf] of a kind, and reloads. */
async function stored(page, solves, kind = '4x4 blank-last') {
  await page.evaluate(async ([rows, name]) => {
    const { SolveStore } = await import(new URL('views/store.js', location.href));
    const store = await SolveStore.open();
    await store.addAll(rows.map(([ms, length, dnf = false], place) => ({
      kind: name, date: 1.79e12 + place * 60_000, ms, length, moves: 'lr'.repeat(length / 2), times: new Array(length).fill(0), board: '1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15', dnf, comment: '',
    })));
    store.close();
    localStorage.setItem('loyd.play', JSON.stringify({ hasSolves: true }));
  }, [solves, kind]);
  await page.reload();
}

onPage('a solve is recorded, can be watched and copied, and its session is shown again', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await solveSmall(page);
  await reads(page, '.message', /Your best at 2 × 2 so far/);
  await reads(page, '.best', /Your best at 2 × 2: 0:0\d\.\d\d, \d+ moves?\./);
  await reads(page, '.statistics', /single (\d+\.\d\d) \1 ao5 – –/);
  await reads(page, '.session', /Over optimum \d+\.\d Moves over the optimum: the mean of 1 solve/);
  await page.reload();
  await page.getByRole('button', { name: /^Solve 1, \d+\.\d\d$/ }).click();
  await page.getByRole('button', { name: 'Copy link of solve 1 for slidysim' }).click();
  await page.getByText('Copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^https:\/\/slidysim\.github\.io\/replay\?r=/);
  await page.waitForFunction(() => document.querySelector('.solve a').href.includes('r='));
  await page.getByRole('link', { name: 'Watch solve 1' }).click();
  await reads(page, '.panel', /These moves solve the board/);
  assert.ok(await page.getByRole('radio', { name: 'As played' }).isChecked());
});

onPage('statistics, DNF, comments and deletions change the session and last', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await stored(page, [[12_000, 100], [10_000, 80], [11_000, 90], [15_000, 120], [13_000, 100]]);
  await reads(page, '.statistics', /single 13\.00 10\.00 ao5 12\.00 12\.00 ao12 – –/);
  await page.getByRole('radio', { name: 'TPS' }).check();
  await reads(page, '.statistics', /single 7\.69 8\.33 ao5 8\.06 8\.06/);
  await page.getByRole('radio', { name: 'Time', exact: true }).check();
  await page.getByRole('button', { name: 'Solve 2, 10.00' }).click();
  await page.getByLabel('Did not finish (DNF)').check();
  // Without 11 and the DNF: (12 + 15 + 13) / 3.
  await reads(page, '.statistics', /single 13\.00 11\.00 ao5 13\.33 13\.33/);
  await page.getByLabel('Comment').fill('slipped');
  await page.getByLabel('Comment').blur();
  await reads(page, '.solves', /2 DNF \(10\.00\) \*/);
  await page.getByRole('button', { name: 'Delete solve 2' }).click();
  await reads(page, '.statistics', /ao5 – –/);
  await page.getByRole('button', { name: 'Undo the deletion' }).click();
  await reads(page, '.statistics', /ao5 13\.33 13\.33/);
  await page.reload();
  await page.getByRole('button', { name: /^Solve 2, DNF/ }).click();
  await eventually(async () => assert.equal(await page.getByLabel('Comment').inputValue(), 'slipped'));
});

onPage('a session with 5,000 solves is shown within a second and a half, in pages, with a plot that has a sentence', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await stored(page, Array.from({ length: 5000 }, (_, place) => [10_000 + ((place * 7919) % 5000), 80]));
  await reads(page, '.session', /4991 to 5000 of 5000/);
  const ms = await page.evaluate(async () => {
    const before = performance.now();
    document.querySelector('input[value="moves"]').click();
    await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
    return performance.now() - before;
  });
  assert.ok(ms < 1500, `${ms} ms`);
  assert.equal(await page.locator('.solves tbody tr').count(), 10);
  await page.getByRole('button', { name: 'Older' }).click();
  await reads(page, '.session', /4981 to 4990 of 5000/);
  assert.match(await page.locator('.session .plot').getAttribute('aria-label'), /^Moves of 5000 solves, from 80 to 80\. The last is 80\. The current ao5 is 80\.0\./);
});

onPage('two tabs lose no solve, and each shows the solves of the other', '#play?size=4x4&seed=1', async (page, context) => {
  await started(page);
  await stored(page, [[12_000, 100]]);
  await reads(page, '.session', /Solves 1 /);
  const other = await context.newPage();
  await other.goto(page.url());
  await reads(other, '.session', /Solves 1 /);
  const add = (tab, from) => tab.evaluate(async (first) => {
    const { SolveStore } = await import(new URL('views/store.js', location.href));
    const store = await SolveStore.open();
    await Promise.all(Array.from({ length: 50 }, (_, place) => store.add({ kind: '4x4 blank-last', date: first + place, ms: 9000, length: 80, moves: '', times: [], board: '', dnf: false, comment: '' })));
  }, from);
  await Promise.all([add(page, 1.8e12), add(other, 1.81e12)]);
  for (const tab of [page, other]) await reads(tab, '.session', /Solves 101 /);
});

onPage('the page reports that nothing is stored if storage is disabled, and still keeps the session', '#play?size=2x2&seed=3', async (page) => {
  await page.addInitScript(() => { Object.defineProperty(globalThis, 'indexedDB', { get: () => { throw new DOMException('denied', 'SecurityError'); } }); });
  await page.reload();
  await started(page);
  await solveSmall(page);
  await reads(page, '.session', /This browser stores nothing for this page\. Your solves are kept only until you close it\./);
  await reads(page, '.session', /Solves 1 /);
});

onPage('a new best is announced', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await stored(page, [[900_000, 2], [900_000, 2], [900_000, 2], [900_000, 2], [900_000, 2]], '2x2 blank-last');
  await started(page);
  await solveSmall(page);
  await reads(page, '.message', /New best single: \d+\.\d\d\..*New best single: [\d.]+ TPS\./);
});

onPage('Space scrambles, Escape goes back to the start, and Control+Z starts a solved board again', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  const [tile] = await page.getByRole('button', { name: /can move$/ }).all();
  await tile.click();
  await page.waitForURL(/moves=/);
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const moved = await board(page);
  await page.keyboard.press(' ');
  await page.waitForURL((url) => !/seed=3(&|$)/.test(url.href));
  await reads(page, '.facts', /Moves 0/);
  await page.goBack();
  await boardIs(page, moved);
  await page.keyboard.press('Escape');
  await reads(page, '.facts', /Moves 0/);
  await reads(page, '.message', /The same board again\. The last one is kept\./);
  const start = await board(page);
  await solveSmall(page);
  await page.keyboard.press('Control+z');
  await boardIs(page, start);
  await reads(page, '.facts', /Moves 0/);
  await page.getByRole('button', { name: 'Hint' }).focus();
  await page.keyboard.press(' ');
  await reads(page, '.message', /Move \d/);
  const before = page.url();
  await page.getByText('Size, goal and scramble').click();
  await page.keyboard.press(' ');
  await page.waitForURL((url) => url.href !== before);
  assert.ok(await page.locator('.settings').isVisible());
});

for (const [reason, link, before] of [
  ['only boards that Loyd scrambles are', '#play?board=1+2/0+3', null],
  ['scrambles of a chosen length are easier', '#play?size=2x2&length=3&seed=1', null],
  ['you left the game before its end', '#play?size=2x2&seed=3', async (page) => {
    await press(page, 'ulr');
    await page.waitForURL(/moves=/);
    await page.reload();
    await reads(page, '.message', /Your game continues/);
  }],
  ['you took a hint', '#play?size=2x2&seed=3', async (page) => {
    await page.getByRole('button', { name: 'Hint' }).click();
    await reads(page, '.message', /Move \d/);
    await page.locator('h1').click();
  }],
  ['you knew the board', '#play?size=2x2&seed=3', async (page) => {
    await press(page, 'uldr');
    await page.keyboard.press('Escape');
  }],
]) onPage(`a solve is not recorded because ${reason}`, link, async (page) => {
  await started(page);
  await before?.(page);
  await solveSmall(page);
  await reads(page, '.message', new RegExp(`Solved in.*Not recorded: ${reason}\\.`));
  assert.equal(await page.locator('.solves tbody tr').count(), 0);
});

onPage('the arrow in the empty cell is that of a hint only, and a pause hides it', '#play?size=4x4&seed=1', async (page) => {
  const arrow = page.locator('.board .hole svg');
  await started(page);
  const [tile] = await page.getByRole('button', { name: /can move$/ }).all();
  await tile.click();
  await page.waitForURL(/moves=/);
  assert.ok(await arrow.isHidden());
  await page.getByRole('button', { name: 'Hint' }).click();
  await arrow.waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await arrow.waitFor({ state: 'hidden' });
});

onPage('a retried board does not count, and a new scramble does', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await solveSmall(page);
  await reads(page, '.session', /Solves 1 /);
  await page.keyboard.press('Control+z');
  await solveSmall(page);
  await reads(page, '.review', /\d moves?,/);
  await page.keyboard.press(' ');
  await page.waitForFunction(() => !document.querySelector('.note.good'));
  await solveSmall(page);
  await reads(page, '.session', /Solves 2 /);
});

onPage('hovering moves tiles at once, and the board can be frozen', '#play?board=2+3+4/1+5+0/7+6+8', async (page) => {
  await page.getByText('Settings and modes').click();
  await page.getByLabel('Tiles move when the pointer passes over them').check();
  const over = async (name) => {
    const box = await page.getByRole('button', { name }).boundingBox();
    await page.mouse.move(box.x + 30, box.y + 30);
  };
  await page.getByRole('button', { name: 'Freeze' }).click();
  await over(/^4, row 1/);
  await boardIs(page, '2 3 4/1 5 0/7 6 8');
  await page.keyboard.press('Shift+F');
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Freeze' }).getAttribute('aria-pressed'), 'true'));
  await page.locator('h1').click();
  await page.keyboard.press('f');
  await over(/^8, row 3/);
  await boardIs(page, '2 3 4/1 5 8/7 6 0');
  assert.equal(await page.locator('.board').evaluate((element) => element.style.getPropertyValue('--time')), '0ms');
  await page.reload();
  await page.getByRole('button', { name: 'Freeze' }).waitFor();
});

onPage('tiles are coloured by row, by fringe or not at all, also after a reload', '#play?board=1+2+3/4+5+6/7+8+0', async (page) => {
  const tints = () => page.locator('.board .tile').evaluateAll((tiles) => tiles.map((tile) => / r(\d)/.exec(tile.className)[1]).join(''));
  assert.equal(await tints(), '11122233');
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'By fringe' }).check();
  await page.waitForFunction(() => document.querySelectorAll('.board .r1').length === 5);
  assert.equal(await tints(), '11112212');
  await page.getByRole('radio', { name: 'Plain' }).check();
  await page.waitForFunction(() => document.querySelectorAll('.board .r0').length === 8);
  await isAccessible(page);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('.board .r0').length === 8);
});

onPage('a relay and a blindfold survive a reload', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Relay' }).check();
  const sizes = page.getByLabel(/^Sizes, 2 to 100/);
  await sizes.fill('2x2 3x3');
  await sizes.blur();
  await reads(page, '.best', /^Board 1 of 2\.$/);
  await page.locator('h1').click();
  await solveSmall(page, '.best', /^Board 2 of 2: 2 × 2 in \d+\.\d\d\.$/);
  await page.waitForFunction(() => document.querySelectorAll('.board .tile').length === 8);
  const [progress, time] = [await page.locator('.best').innerText(), await page.locator('.clock time').innerText()];
  await page.reload();
  await reads(page, '.best', new RegExp(`^${progress}$`));
  await reads(page, '.message', /Your game continues/);
  assert.ok(await page.locator('.clock time').innerText() >= time);
  assert.equal(await page.locator('.board .tile').count(), 8);
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Blindfold' }).check();
  await page.locator('h1').click();
  await page.keyboard.press(' ');
  await reads(page, '.session', /blindfold, 3 × 3/);
  for (const letter of 'uldr') await press(page, letter);
  await page.reload();
  await page.getByRole('button', { name: 'Give up' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^hidden tile, row/ }).count(), 8);
});

onPage('a relay survives a reload for which the browser has lost the state of the entry and its last addresses', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Relay' }).check();
  await reads(page, '.best', /^Board 1 of 4\.$/);
  const address = await page.evaluate(() => location.hash);
  await page.locator('h1').click();
  await solveSmall(page, '.best', /^Board 2 of 4: 2 × 2 in \d+\.\d\d\.$/);
  await page.waitForURL(/size=3x3/);
  await page.evaluate((hash) => history.replaceState(null, '', hash), address);
  await page.reload();
  await reads(page, '.best', /^Board 2 of 4: 2 × 2 in \d+\.\d\d\.$/);
  assert.equal(await page.locator('.board .tile').count(), 8);
});

onPage('a new game survives a reload before its address is written', '#play?board=1+2+3/4+5+6/7+0+8&moves=', async (page) => {
  await started(page);
  await press(page, 'u');
  await page.waitForURL(/moves=u$/);
  const address = await page.evaluate(() => location.hash);
  await page.getByRole('button', { name: 'Scramble' }).click();
  await reads(page, '.message', /The last one is kept/);
  await page.waitForURL(/seed=/);
  const shown = await board(page);
  await page.evaluate((hash) => history.replaceState(null, '', hash), address);
  await page.reload();
  await page.waitForURL(/seed=/);
  assert.equal(await board(page), shown);
});

onPage('a relay has one clock and a split for each board, and a session of its own', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Relay' }).check();
  const sizes = page.getByLabel(/^Sizes, 2 to 100/);
  await sizes.fill('2x2 9');
  await sizes.blur();
  assert.equal(await sizes.getAttribute('aria-invalid'), 'true');
  await sizes.fill('2x2 2x2');
  await sizes.blur();
  await reads(page, '.best', /^Board 1 of 2\.$/);
  await page.locator('h1').click();
  await page.waitForFunction(() => document.querySelectorAll('.board .tile').length === 3);
  for (const [boards, progress] of [[1, /^(Board 2 of 2: 2 × 2 in \d+\.\d\d\.|All 2 boards solved.*)$/], [2, /^All 2 boards solved: 2 × 2 in [\d.]+, 2 × 2 in [\d.]+\.$/]]) {
    await solveSmall(page, '.best', progress);
    if (boards === 1) assert.notEqual(await page.locator('.clock time').innerText(), '0:00.00');
  }
  await reads(page, '.session', /relay of 2, 2 × 2 to 2 × 2.*Solves 1 /);
  const [, moves] = /Solved in [\d:.]+\. (\d+) moves/.exec(await page.locator('.message').innerText());
  await reads(page, '.solves', new RegExp(`1 \\d+\\.\\d\\d ${moves} `));
  await reads(page, '.facts', new RegExp(`Moves ${moves} `));
  await page.getByRole('button', { name: /^Solve 1, / }).click();
  await page.getByRole('link', { name: 'Watch part 2 of solve 1' }).waitFor();
});

onPage('blindfold hides the numbers after the first move, and giving up is a DNF', '#play?size=3x3&seed=1', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Blindfold' }).check();
  await reads(page, '.session', /blindfold, 3 × 3/);
  await page.waitForURL((url) => !url.hash.includes('seed=1&') && !url.hash.endsWith('seed=1'));
  await page.locator('h1').click();
  await eventually(async () => assert.equal(await page.getByRole('button', { name: /hidden tile/ }).count(), 0));
  for (const letter of 'ul') await press(page, letter);
  for (const letter of 'dr') await press(page, letter);
  assert.equal(await page.getByRole('button', { name: /^hidden tile, row/ }).count(), 8);
  assert.equal(await page.getByRole('button', { name: /^\d, row|in place/ }).count(), 0);
  assert.equal(await page.locator('.board .tile').first().evaluate((tile) => getComputedStyle(tile).fontSize), '0px');
  await page.getByRole('button', { name: 'Give up' }).click();
  await eventually(async () => assert.equal(await page.getByRole('button', { name: /^\d, row/ }).count(), 8));
  await reads(page, '.statistics', /single DNF DNF/);
  await page.getByRole('button', { name: /^Solve 1, DNF/ }).click();
  await reads(page, '.solve', /Memorised in \d+\.\d\d\./);
});

onPage('inspection counts down, the first move starts the clock, and pause hides the board and marks the solve', '#play?size=2x2&seed=3', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByLabel('Inspect for 15 seconds before the clock starts').check();
  await reads(page, '.clock time', /^1[45]$/);
  await page.locator('h1').click();
  const [tile] = await page.getByRole('button', { name: /can move$/ }).all();
  await tile.click();
  await reads(page, '.clock time', /^0:0\d\.\d\d$/);
  await page.keyboard.press('p');
  await reads(page, '.message', /Paused/);
  assert.ok(await page.locator('.board').isHidden());
  const stopped = await page.locator('.clock time').innerText();
  await page.keyboard.press('ArrowUp');
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.clock time').innerText(), stopped);
  await page.getByRole('button', { name: 'Continue' }).click();
  await eventually(async () => assert.ok(await page.locator('.board').isVisible()));
  await page.locator('h1').click();
  await solveSmall(page);
  await page.getByRole('button', { name: /^Solve 1, [\d.]+, paused$/ }).click();
  await reads(page, '.solve', /Paused\./);
});

onPage('the clock starts by itself after 15 seconds of inspection', '', async (page) => {
  await page.clock.install();
  await page.evaluate(() => localStorage.setItem('loyd.play', JSON.stringify({ inspection: true })));
  await page.goto(page.url().replace(/#.*/, '#play?size=4x4&seed=2'));
  await page.reload();
  await reads(page, '.clock time', /^1[0-5]$/);
  await page.clock.fastForward(16_000);
  await page.clock.fastForward(3000);
  await reads(page, '.clock time', /^0:0[3-9]\.\d\d$/);
  await reads(page, '.facts', /Moves 0/);
});

onPage('solves are saved and read again: none twice, and damaged lines are named', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await stored(page, [[12_000, 100], [10_000, 80]]);
  await page.getByText('Save and read solves').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  const csv = `${Buffer.concat(chunks)}4x4 blank-last,2026-01-01T00:00:00Z,9000,,,,,,,,,,,,,\r\nnonsense\r\n`;
  await page.getByLabel(/^Read a file of Loyd/).setInputFiles({ name: 'solves.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await reads(page, '.session', /1 solve imported\. 2 solves were already stored\. 1 entry could not be read\. Line 5: There are 1 fields; the header has 16\./);
  await reads(page, '.session', /Solves 3 /);
  await page.getByLabel(/^Read a file of Loyd/).setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await reads(page, '.session', /This file cannot be read\. This file is none of these/);
});

onPage('the sessions of a csTimer file can be chosen, and solves are saved for csTimer', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await stored(page, [[12_340, 100]]);
  await page.getByText('Save and read solves').click();
  const solves = (ms) => [[[0, ms], 'R D', '', 1_700_000_000 + ms]];
  const sessionData = JSON.stringify({ 1: { name: 'old', opt: { scrType: '15prp' } }, 2: { name: 'new', opt: { scrType: '15prp' } } });
  const buffer = Buffer.from(JSON.stringify({ session1: solves(9000), session2: solves(8000), properties: { sessionData } }));
  await page.getByLabel(/^Read a file of Loyd/).setInputFiles({ name: 'cstimer.txt', mimeType: 'text/plain', buffer });
  await page.getByLabel('session1 “old”: 1 solve, 4 × 4').uncheck();
  await page.getByRole('button', { name: 'Import' }).click();
  await reads(page, '.session', /1 solve imported\./);
  await reads(page, '.statistics', /single 12\.34 8\.00/);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save for csTimer' }).click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  assert.deepEqual(JSON.parse(Buffer.concat(chunks)).session1.map(([[, ms]]) => ms), [8000, 12_340]);
});

onPage('the last part of a picture appears at the solve', '#play?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.evaluate(() => localStorage.setItem('loyd.play', JSON.stringify({ picture: 'scene' })));
  await page.reload();
  const last = page.locator('.board .hole canvas');
  const opacity = (value) => page.waitForFunction((wanted) => getComputedStyle(document.querySelector('.board .hole canvas')).opacity === wanted, value);
  await last.waitFor({ state: 'attached' });
  await opacity('0');
  await page.locator('.play-view .tile').first().waitFor();
  await started(page);
  await press(page, 'r');
  await opacity('1');
});

onPage('the tiles have parts of a picture, built in or of a file, with numbers', '#play?size=3x3&seed=1', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByLabel('Pictures on the tiles').selectOption('scene');
  await page.locator('.board.pictures .tile canvas').nth(7).waitFor();
  await page.getByLabel('Pictures on the tiles').selectOption('own');
  const red = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==', 'base64');
  await page.getByLabel(/^Picture file/).setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: red });
  const colour = () => page.waitForFunction(() => {
    const canvas = document.querySelector('.board.pictures .tile canvas');
    const [r, g, b] = canvas?.getContext('2d').getImageData(9, 9, 1, 1).data ?? [];
    return r > 200 && g < 80 && b < 80;
  });
  await colour();
  await page.reload();
  await colour();
  await page.locator('.board .number', { hasText: '8' }).waitFor();
  await page.getByText('Settings and modes').click();
  await page.getByLabel(/^Picture file/).setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no') });
  await reads(page, '.message', /This picture cannot be used\. “x\.png” is not a picture that this browser can read\./);
});

onPage('solving a level opens the next one, also after a reload', '#play?size=4x4&seed=1', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Level 2: 10 moves' }).isDisabled()));
  await page.getByRole('button', { name: 'Level 1: 5 moves' }).click();
  await page.waitForURL(/size=3x3.*length=5/);
  await page.getByRole('link', { name: 'Watch' }).click();
  await reads(page, '.figure', /^5 moves$/);
  const moves = await page.locator('.chips').first().innerText();
  await page.goBack();
  await page.locator('.play-view .tile').first().waitFor();
  const [first, ...rest] = [...moves.replace(/\s/g, '').matchAll(/([UDLR])(\d*)/g)].flatMap(([, letter, count]) => new Array(Number(count || 1)).fill(letter));
  const keys = { U: 'ArrowUp', D: 'ArrowDown', L: 'ArrowLeft', R: 'ArrowRight' };
  await page.keyboard.press(keys[first]);
  await page.reload();
  await reads(page, '.message', /Your game continues/);
  for (const letter of rest) await page.keyboard.press(keys[letter]);
  await reads(page, '.message', /Level 2 is open\./);
  await page.getByRole('button', { name: 'Play level 2' }).click();
  await page.waitForURL(/length=10/);
});

onPage('a wave passes over a solved board within 400 ms, but not under reduced motion', '#play?board=1+2+3/4+5+6/7+0+8', async (page) => {
  await page.evaluate(() => {
    globalThis.waves = [];
    Element.prototype.animate = (frames, { delay, duration }) => { globalThis.waves.push(Math.round(delay + duration)); };
  });
  await press(page, 'r');
  await page.waitForFunction(() => globalThis.waves.length === 9);
  assert.equal(await page.evaluate(() => Math.max(...globalThis.waves)), 400);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.keyboard.press('Control+z');
  await press(page, 'r');
  await reads(page, '.review', /1 move, none of them lost/);
  assert.equal(await page.evaluate(() => globalThis.waves.length), 9);
});

looks('play-settings', '#play?size=4x4&seed=1', async (page) => {
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Relay' }).check();
  await page.getByLabel('Pictures on the tiles').selectOption('scene');
  await page.locator('.board.pictures .tile canvas').first().waitFor();
});

looks('session', '#play?size=4x4&seed=1', async (page) => {
  await stored(page, Array.from({ length: 60 }, (_, place) => [10_000 + ((place * 7919) % 5000), 80 + place, place % 17 === 5]));
  await page.getByRole('button', { name: /^Solve 60, / }).click();
});

onPage('the session and the settings fit a narrow window', '#play?size=4x4&seed=1', async (page) => {
  await stored(page, [[912_310, 1237, true], [3_912_310, 1237]]);
  await page.getByRole('button', { name: 'Solve 1, DNF (15:12.31)' }).click();
  await page.getByText('Settings and modes').click();
  await page.getByRole('radio', { name: 'Relay' }).check();
  await page.getByText('Save and read solves').click();
  await fits(page);
  await isAccessible(page);
}, { viewport: { width: 320, height: 512 } });

onPage('the length of a level is not that of later boards', '#play?size=3x3&seed=1', async (page) => {
  await started(page);
  await page.getByText('Settings and modes').click();
  await page.getByRole('button', { name: 'Level 1: 5 moves' }).click();
  await page.waitForURL(/length=5/);
  await page.getByRole('combobox', { name: 'Board size' }).selectOption('4x4');
  await page.waitForURL(/size=4x4/);
  assert.ok(!page.url().includes('length='));
});

onPage('a set has one picker of sizes, whichever board is shown', '#play?set=8+1+3/4+0+2/7+6+5;1+2+3/4+5+6/0+7+8;1+2+3/4+5+6/7+0+8', async (page) => {
  for (const board of [2, 3]) {
    await page.getByRole('button', { name: 'Next' }).click();
    await reads(page, '.set-bar', new RegExp(`Board ${board} of 3`));
  }
  assert.equal(await page.getByRole('combobox', { name: 'Board size' }).count(), 1);
});

onPage('Learn without a board of the reader leaves the game to Play', '#play?board=2+3+4/1+5+0/7+6+8', async (page) => {
  await started(page);
  await press(page, 'ul');
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.locator('.learn-view .board .tile').first().waitFor();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await reads(page, '.facts', /Moves 2/);
});
