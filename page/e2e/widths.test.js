// All views in narrow windows, as at 200% and 400% zoom, and with the largest boards.
import assert from 'node:assert/strict';
import { fits, isAccessible, onPage } from './page.js';

const LARGE = [...Array.from({ length: 255 }, (_, place) => place + 1), 0].join('+');
const VIEWS = {
  play: '#play?size=16x16&seed=1', enter: `#enter?board=${LARGE}`, watch: `#watch?board=${LARGE}&moves=${'RDLU'.repeat(30)}`, race: `#race?board=${LARGE}`,
  inside: '#inside?step=5', learn: '#learn?page=pdb',
  'a set': `#watch?set=${LARGE};1+2+3/4+0+5/7+8+6&hide=1`, 'the embedded page': `embed.html#watch?board=${LARGE}&moves=${'RDLU'.repeat(30)}`,
};

for (const [view, link] of Object.entries(VIEWS)) {
  for (const width of [320, 640]) {
    onPage(`${view} does not overflow at ${width} px`, link, async (page) => {
      await page.waitForTimeout(300);
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      await fits(page);
      await isAccessible(page);
    }, { viewport: { width, height: 512 } });
  }
}

for (const width of [320, 720, 760, 820]) {
  onPage(`all tabs are on the screen at ${width} px`, '#play?size=4x4&seed=1', async (page) => {
    const ends = await page.locator('.tabs a').evaluateAll((tabs) => tabs.map((tab) => [tab.getBoundingClientRect().left, tab.getBoundingClientRect().right]));
    assert.equal(ends.length, 6);
    assert.ok(ends.every(([left, right]) => left >= 0 && right <= width), ends.join(' '));
    const [tabs, theme] = await Promise.all(['.tabs', '.theme'].map((part) => page.locator(part).boundingBox()));
    assert.ok(tabs.x + tabs.width <= theme.x || tabs.y >= theme.y + theme.height - 1, 'the tabs end before the choice of the theme');
  }, { viewport: { width, height: 512 } });
}
