import assert from 'node:assert/strict';
import { board, boardIs, fits, isAccessible, looks, onPage, reads } from './page.js';

const KEYS = { u: 'ArrowDown', d: 'ArrowUp', l: 'ArrowRight', r: 'ArrowLeft' };

async function press(page, moves) {
  for (const letter of moves) await page.keyboard.press(KEYS[letter]);
}

const begun = (page) => page.waitForFunction(() => history.state?.game);

/** Solves a 2x2 board: its tiles move in a circle, and one of the two directions leads home. */
async function solveSmall(page) {
  for (const round of ['uldr', 'ldru', 'drul', 'ruld', 'ulrd', 'lurd', 'dlur', 'rdlu']) {
    for (let turn = 0; turn < 26 && !(await page.locator('.note.good').count()); turn += 1) await press(page, round[turn % 4]);
  }
  await reads(page, '.says', /Solved in/);
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
  await begun(page);
  await solveSmall(page);
  await reads(page, '.says', /Your best at 2 × 2 so far/);
  await reads(page, '.best', /Your best at 2 × 2: 0:0\d\.\d\d, \d+ moves?\./);
  await reads(page, '.statistics', /single (\d+\.\d\d) \1 ao5 – –/);
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
  await begun(page);
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
  assert.equal(await page.getByLabel('Comment').inputValue(), 'slipped');
});

onPage('a session with 5,000 solves is shown within a second and a half, in pages, with a plot that has a sentence', '#play?size=4x4&seed=1', async (page) => {
  await begun(page);
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

onPage('the ten fastest solves of earlier versions are taken over once', '#play?size=4x4&seed=1', async (page) => {
  await begun(page);
  await page.evaluate(() => {
    const solve = (ms) => ({ ms, board: '1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15', moves: 'r'.padEnd(237, 'lr'), times: new Array(237).fill(0) });
    localStorage.setItem('loyd.solves 4x4 blank-last', JSON.stringify([112_310, 112_310, 120_000].map(solve)));
  });
  for (let visit = 0; visit < 2; visit += 1) {
    await page.reload();
    await reads(page, '.session', /Solves 3 Mean 1:54\.87/);
    assert.equal(await page.evaluate(() => localStorage.getItem('loyd.solves 4x4 blank-last')), null);
  }
  await page.getByRole('button', { name: 'Solve 3, 1:52.31' }).click();
  await reads(page, '.solve', /Date unknown/);
});

onPage('two tabs lose no solve, and each shows the solves of the other', '#play?size=4x4&seed=1', async (page, context) => {
  await begun(page);
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

onPage('the page says that nothing is stored if storage is disabled, and still keeps the session', '#play?size=2x2&seed=3', async (page) => {
  await page.addInitScript(() => { Object.defineProperty(globalThis, 'indexedDB', { get: () => { throw new DOMException('denied', 'SecurityError'); } }); });
  await page.reload();
  await begun(page);
  await solveSmall(page);
  await reads(page, '.session', /This browser stores nothing for this page\. Your solves are kept only until you close it\./);
  await reads(page, '.session', /Solves 1 /);
});

onPage('a new best is announced', '#play?size=2x2&seed=3', async (page) => {
  await begun(page);
  await stored(page, [[900_000, 2], [900_000, 2], [900_000, 2], [900_000, 2], [900_000, 2]], '2x2 blank-last');
  await begun(page);
  await solveSmall(page);
  await reads(page, '.says', /New best single: \d+\.\d\d\..*New best single: [\d.]+ TPS\./);
});

looks('session', '#play?size=4x4&seed=1', async (page) => {
  await stored(page, Array.from({ length: 60 }, (_, place) => [10_000 + ((place * 7919) % 5000), 80 + place, place % 17 === 5]));
  await page.getByRole('button', { name: /^Solve 60, / }).click();
});

onPage('the session fits a narrow window', '#play?size=4x4&seed=1', async (page) => {
  await stored(page, [[912_310, 1237, true], [3_912_310, 1237]]);
  await page.getByRole('button', { name: 'Solve 1, DNF (15:12.31)' }).click();
  await fits(page);
  await isAccessible(page);
}, { viewport: { width: 320, height: 512 } });
