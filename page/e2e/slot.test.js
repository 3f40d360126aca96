// The solver slot as slidysim uses it: in a frame on another site.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { onPage, otherSite, URL } from './page.js';

const site = otherSite('<iframe></iframe>');

/** Opens a page of another site that frames the slot. */
async function framed(context, link) {
  const page = await context.newPage();
  await page.goto(site.address);
  await page.evaluate((link) => new Promise((loaded) => {
    const frame = document.querySelector('iframe');
    frame.addEventListener('load', loaded);
    frame.src = link;
  }), URL + link);
  return page;
}

/** Requests the answer of the slot, again if it needs more time, as the site does. */
const ask = (page) => page.evaluate(() => new Promise((resolve) => {
  const { contentWindow } = document.querySelector('iframe');
  addEventListener('message', ({ data, source }) => {
    if (source !== contentWindow) return;
    if (data[0] === '\n') contentWindow.postMessage('GetContent', '*');
    else resolve(data);
  });
  contentWindow.postMessage('GetContent', '*');
}));

/** Returns the board after tile moves, one letter each. */
function moved(text, width, moves) {
  const cells = text.split('_').map(Number);
  const toTile = { U: width, D: -width, L: 1, R: -1 };
  for (const letter of moves) {
    const blank = cells.indexOf(0);
    const tile = blank + toTile[letter];
    [cells[blank], cells[tile]] = [cells[tile], cells[blank]];
  }
  return cells.join('_');
}

for (const [scramble, width, length] of [
  ['5_1_3_2_8_4_6_7_0', 3, 20],
  ['11_12_5_9_13_4_14_3_7_15_6_2_0_8_10_1', 4, 63],
]) {
  onPage(`a site that frames the slot gets a shortest solution of ${length} moves`, '#learn', async (_, context) => {
    const page = await framed(context, `?scramble=${scramble}`);
    const [moves] = await ask(page);
    assert.equal(moves.length, length);
    const cells = scramble.split('_').length;
    assert.equal(moved(scramble, width, moves), [...Array.from({ length: cells - 1 }, (__, place) => place + 1), 0].join('_'));
  });
}

onPage('a site that frames the slot learns that there is no solution', '#learn', async (_, context) => {
  assert.deepEqual(await ask(await framed(context, '?scramble=1_2_3_4_5_6_8_7_0')), ['-1']);
});

onPage('only the slot is shown in frames of other sites', '#learn', async (_, context) => {
  const page = await framed(context, '#play');
  const frame = page.frames()[1];
  // The server forbids frames by a header; a static site cannot.
  if (!frame.url().startsWith('chrome-error:')) await frame.getByText('This page cannot be shown inside other pages').waitFor();
});
