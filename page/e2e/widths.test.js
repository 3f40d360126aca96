// Every view on narrow windows, as they are at 200% and 400% zoom, and with the largest boards.
import { fits, isAccessible, onPage } from './page.js';

const LARGE = [...Array.from({ length: 255 }, (_, place) => place + 1), 0].join('+');
const VIEWS = {
  play: '#play?size=16x16&seed=1', enter: `#enter?board=${LARGE}`, watch: `#watch?board=${LARGE}&moves=${'RDLU'.repeat(30)}`, race: `#race?board=${LARGE}`,
  inside: '#inside?step=5', learn: '#learn?page=pdb',
};

for (const [view, link] of Object.entries(VIEWS)) {
  for (const width of [320, 640]) {
    onPage(`${view} has nothing that sticks out at ${width} px`, link, async (page) => {
      await page.waitForTimeout(300);
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      await fits(page);
      await isAccessible(page);
    }, { viewport: { width, height: 512 } });
  }
}
