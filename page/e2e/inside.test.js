import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { boardIs, eventually, looks, onPage, reads, URL } from './page.js';

const SMALL = '#inside?board=1+6+2/5+0+3/4+7+8';

onPage('a search unfolds step by step, and back', SMALL, async (page) => {
  await reads(page, '.inside', /step 1 of 12/);
  assert.equal(await page.locator('.tree .now').count(), 1);
  assert.equal(await page.locator('.note').count(), 0, 'the outcome is not shown before the end');
  const first = await page.locator('.tree g').count();
  await page.getByRole('button', { name: 'Step' }).click();
  await reads(page, '.inside', /step 2 of 12/);
  assert.ok(await page.locator('.tree g').count() > first);
  await reads(page, '.open-list', /next/);
  await page.getByRole('button', { name: 'Back' }).click();
  await eventually(async () => assert.equal(await page.locator('.tree g').count(), first));
  await page.getByRole('slider', { name: 'Step of the search' }).fill('12');
  await eventually(async () => assert.equal(await page.locator('.tree .end').count(), 1));
  await reads(page, '.note', /8 moves, the fewest possible/);
  await reads(page, '.pair .facts', /g so far 7 h to go 1 f decides 8/);
  await page.waitForURL(/step=12/);
});

onPage('bands of equal f grow round the nodes', '#inside?board=1+2+0/4+5+8/7+6+3', async (page) => {
  await reads(page, '.key', /f ≤ 6 f ≤ 8 f ≤ 10/);
  const bands = () => page.locator('.tree .band').count();
  assert.equal(await bands(), 2, 'f ≤ 6 around the first node, f ≤ 8 around a child of it');
  await page.getByRole('slider', { name: 'Step of the search' }).fill('16');
  await eventually(async () => assert.equal(await bands(), 3));
  const [inner, middle, outer] = await Promise.all(['.l1', '.l2', '.l3'].map((one) => page.locator(`.tree .band${one} path:not(.line)`).evaluate((path) => ({ boxes: path.getAttribute('d').split('M').length - 1, height: path.getBBox().height }))));
  assert.equal(inner.boxes, 1);
  assert.ok(middle.boxes > 1 && middle.boxes < outer.boxes && inner.height < middle.height && middle.height < outer.height);
  await page.getByLabel('Algorithm').selectOption('bfs');
  await reads(page, '.inside', /step 1 of \d{3}/);
  assert.equal(await bands(), 0);
});

onPage('an overestimate leads to a longer solution', SMALL, async (page) => {
  await page.getByRole('button', { name: 'A misled search' }).click();
  await reads(page, '.lane h2', /Weighted A\* \(3\) with manhattan/);
  await page.getByRole('button', { name: 'To the end' }).click();
  await reads(page, '.note', /10 moves, and 8 would do\./);
  await page.waitForURL(/algorithm=wastar/);
  assert.deepEqual((await page.locator('.ways a').allInnerTexts()).map((moves) => moves.length), [10, 8]);
  await page.locator('.ways a').first().click();
  await reads(page, '.panel', /10 moves.*These moves solve the board/);
});

onPage('a search uses a custom matrix', SMALL, async (page) => {
  await reads(page, '.pair .facts', /h to go 8/);
  await page.getByLabel('Heuristic').selectOption('matrix');
  await reads(page, '.pair .facts', /h to go 16/);
  await page.getByLabel(/^Matrix/).fill(Array.from({ length: 9 }, () => Array(9).fill(0).join(' ')).join('\n'));
  await page.keyboard.press('Tab');
  await reads(page, '.pair .facts', /h to go 0/);
});

onPage('iterations of IDA* and the layers of breadth-first search are shown', `${SMALL}&algorithm=idastar`, async (page) => {
  await reads(page, '.open-list', /Bound 8/);
  await page.getByLabel('Algorithm').selectOption('bfs');
  await reads(page, '.inside', /Expanded so far, by moves so far/);
});

const lane = (page, place) => page.locator('.lane').nth(place);
const facts = async (page, place) => (await lane(page, place).locator('.facts').first().innerText()).replace(/\s+/g, ' ');

onPage('two searches run side by side on one timeline', '#inside?board=1+2+0/4+5+8/7+6+3', async (page) => {
  await page.getByRole('button', { name: 'Compare with another search' }).click();
  await reads(page, '.inside', /step 1 of 17/);
  await page.getByRole('slider', { name: 'Step of the search' }).fill('16');
  await eventually(async () => assert.match(await facts(page, 0), /Expanded 16 Generated 31 Open 15 Duplicates 0 Cut 0/));
  await eventually(async () => assert.match(await facts(page, 1), /Expanded 16 Generated 25 Open 1 Duplicates 0 Cut 11/));
  await reads(page, '.lane:nth-child(1) .note', /10 moves, the fewest possible\. 16 nodes expanded, 31 generated/);
  assert.equal(await lane(page, 1).locator('.note').count(), 0);
  await page.getByRole('button', { name: 'To the end' }).click();
  await reads(page, '.inside > .stack .note', /Both searches have ended\. A\* with manhattan: 16 nodes expanded, at most 16 open\. IDA\* with manhattan: 17 nodes/);
  const { expanded, generated } = await page.evaluate(async () => {
    const { openEngine } = await import('./engine/engine.js');
    return (await openEngine()).call('solve', { board: '1 2 0/4 5 8/7 6 3', algorithm: 'idastar', heuristic: 'manhattan' });
  });
  assert.ok((await facts(page, 1)).startsWith(`Expanded ${expanded} Generated ${generated} `), 'the trace counts as the engine does');
  await page.waitForURL(/algorithm2=idastar.*step=17/);
  await page.reload();
  await reads(page, '.lane:nth-child(2) h2', /IDA\*/);
  await page.getByRole('button', { name: 'Remove A* with manhattan' }).click();
  await eventually(async () => assert.equal(await page.locator('.lane').count(), 1));
  await reads(page, '.lane h2', /IDA\*/);
});

onPage('single events follow the pseudocode, each with a sentence', `${SMALL}&algorithm=idastar&step=2`, async (page) => {
  const now = () => page.locator('.code [aria-current]').innerText();
  await reads(page, '.inside', /step 2 of 8/);
  await page.getByRole('button', { name: 'Event' }).click();
  await reads(page, '.inside', /step 3 of 8, event 1 of/);
  assert.match(await now(), /expand the board/);
  await page.getByRole('button', { name: 'Event' }).click();
  await eventually(async () => assert.match(await now(), /for each move/));
  await reads(page, '.events', /Left out: it takes back the last move\.$/);
  await page.getByRole('slider', { name: 'Step of the search' }).fill('2');
  await reads(page, '.events', /Cut: f 10 is above the bound 8\./);
  assert.equal(await page.locator('.code [aria-current]').count(), 0, 'a whole step marks all of its lines alike');
});

onPage('a run pauses at the condition', '#inside?board=1+2+0/4+5+8/7+6+3', async (page) => {
  await page.getByText('Speed and pauses').click();
  await page.getByRole('radio', { name: 'Fast' }).check();
  await page.getByLabel('Pause a run at').selectOption('depth');
  await page.getByLabel('Value').fill('4');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Run' }).waitFor();
  await reads(page, '.pair .facts', /g so far 4/);
  await page.getByLabel('Pause a run at').selectOption('board');
  await page.getByLabel('Value').fill('1 2 3/4 5 6/7 8 0');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Run' }).waitFor();
  await reads(page, '.inside', /step 16 of 16/);
});

onPage('nodes are selected by mouse and keys, and the tree is scaled', `${SMALL}&step=6`, async (page) => {
  await page.locator('.tree .node').first().click();
  await reads(page, '.pair', /g so far 0.*The selected node: closed/);
  await boardIs(page, '1 6 2/5 0 3/4 7 8');
  await page.getByRole('region', { name: /Search tree/ }).press('ArrowDown');
  await reads(page, '.pair', /g so far 1/);
  await page.keyboard.press('Escape');
  await reads(page, '.pair', /The node of this step: being expanded/);
  const width = () => page.locator('.tree').evaluate((tree) => Number(tree.getAttribute('width')));
  const before = await width();
  await page.getByRole('button', { name: 'Enlarge' }).click();
  await eventually(async () => assert.ok(await width() > before * 1.2));
  await page.getByRole('button', { name: 'Fit the tree' }).click();
  await eventually(async () => assert.ok(await page.locator('.scroll').evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth <= clientWidth && scrollHeight <= clientHeight + 1)));
});

onPage('the layers of a search are drawn, and a node of them is selected', `${SMALL}&algorithm=bfs&step=20`, async (page) => {
  await page.getByRole('radio', { name: 'Layers' }).check();
  await eventually(async () => assert.match(await page.locator('canvas').getAttribute('aria-label') ?? '', /^Layers: 1 nodes with g 0, 4 nodes with g 1, 8 nodes with g 2/));
  await page.locator('canvas').click({ position: { x: 40, y: 8 } });
  await reads(page, '.pair', /g so far 0.*The selected node/);
  await page.waitForURL(/picture=layers/);
});

onPage('earlier iterations of IDA* stay, with their cut nodes', '#inside?board=1+2+0/4+5+8/7+6+3&algorithm=idastar&step=17', async (page) => {
  await reads(page, '.lane', /6: 1 8: 5 10: 11/);
  assert.equal(await page.locator('.tree .node').evaluateAll((nodes) => nodes.filter((node) => !node.querySelector('.mv')).length), 3, 'one root for each iteration');
  assert.ok(await page.locator('.tree .pruned').count() > 5);
  await page.getByRole('button', { name: /^Bound 8/ }).click();
  await reads(page, '.inside', /step 6 of 17/);
});

onPage('a trace file is opened, and a damaged one is refused', SMALL, async (page) => {
  await reads(page, '.inside', /step 1 of 12/);
  const waiting = page.waitForEvent('download');
  await page.getByLabel('Algorithm').selectOption('greedy');
  await reads(page, '.lane h2', /Greedy/);
  await page.getByRole('button', { name: 'Posthoc file' }).click();
  const path = await (await waiting).path();
  await page.goto('about:blank');
  await page.goBack();
  await page.getByLabel('Trace file').setInputFiles({ name: 'greedy.json', mimeType: 'application/json', buffer: readFileSync(path) });
  await reads(page, '.lane h2', /greedy\.json/);
  await reads(page, '.inside', /step 1 of 74/);
  await page.getByLabel('Trace file').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') });
  await reads(page, '.inside', /bad\.json cannot be opened\. This file is not a trace: it has no list of events/);
});

onPage('the trace can be downloaded for Posthoc', SMALL, async (page) => {
  await reads(page, '.inside', /step 1 of 12/);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Posthoc file' }).click();
  const file = await waiting;
  assert.equal(file.suggestedFilename(), 'astar.trace.json');
  assert.equal(JSON.parse(readFileSync(await file.path(), 'utf8')).version, '1.4.0');
});

onPage('another board can be typed', SMALL, async (page) => {
  await page.getByLabel('Board', { exact: true }).fill('1 2 3/4 0 5/7 8 6');
  await page.keyboard.press('Tab');
  await boardIs(page, '1 2 3/4 0 5/7 8 6');
  await page.getByRole('button', { name: 'To the end' }).click();
  await reads(page, '.note', /2 moves, the fewest possible/);
});

looks('inside', `${SMALL}&step=6`, (page) => reads(page, '.inside', /step 6 of 12/));
looks('inside-two', '#inside?board=1+2+0/4+5+8/7+6+3&step=14&algorithm2=idastar&picture2=layers', (page) => reads(page, '.lane:nth-child(2)', /Expanded 14/));
looks('inside-contours', '#inside?board=1+2+0/4+5+8/7+6+3&step=16', (page) => reads(page, '.note', /10 moves/));
looks('inside-misled', `${SMALL}&algorithm=wastar&weight=3&step=99`, (page) => reads(page, '.note', /10 moves, and 8 would do/));

onPage('the trace ends with the counts of the search', '#inside?board=8+1+3/4+0+2/7+6+5', async (page) => {
  for (const algorithm of ['astar', 'bfs', 'ucs', 'greedy', 'wastar', 'idastar']) {
    await page.goto(`${URL}#inside?board=8+1+3/4+0+2/7+6+5&algorithm=${algorithm}&weight=2`);
    await page.locator(`.lane[aria-label^="${{ astar: 'A*', bfs: 'Breadth', ucs: 'Uniform-cost', greedy: 'Greedy', wastar: 'Weighted', idastar: 'IDA*' }[algorithm]}"]`).waitFor();
    await page.getByRole('button', { name: 'To the end' }).click();
    const { result } = await page.evaluate(async (chosen) => {
      const { openEngine } = await import('./engine/engine.js');
      return (await openEngine()).call('trace', { board: '8 1 3/4 0 2/7 6 5', algorithm: chosen, ...(['bfs', 'ucs'].includes(chosen) ? {} : { heuristic: 'manhattan' }), ...(chosen === 'wastar' && { weight: 2 }), max_events: 20_000 });
    }, algorithm);
    const number = (name) => `${name} ${result[name.toLowerCase()].toLocaleString('en')}`;
    await reads(page, '.lane .facts', new RegExp(`${number('Expanded')} ${number('Generated')} Open [\\d,]+ ${number('Duplicates')}`));
  }
});

onPage('a long solution of greedy search has its own reason', '#inside?board=8+1+3/4+0+2/7+6+5&algorithm=greedy', async (page) => {
  await page.getByRole('button', { name: 'To the end' }).click();
  await reads(page, '.lane [role=status]', /20 moves, and 14 would do\. Greedy search ignores the moves made so far/);
});

onPage('a value that a run cannot pause at is reported', '#inside?board=8+1+3/4+0+2/7+6+5', async (page) => {
  await page.getByText('Speed and pauses').click();
  await page.getByLabel('Pause a run at').selectOption('This board');
  await page.getByLabel('Value').fill('rubbish');
  await reads(page, '.timeline', /This is not a board of this size: the run does not pause\./);
  await page.getByLabel('Value').fill('8 1 3/4 2 0/7 6 5');
  await reads(page, '.timeline', /Value$/);
});
