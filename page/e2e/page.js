// The browser of the tests: Debian's Chromium, driven by playwright-core.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { host } from './site.js';

export const URL = (process.env.LOYD_URL ?? 'http://127.0.0.1:8015/').replace(/\/?$/, '/');
/** Whether a server solves, not WebAssembly. */
export const isServer = await fetch(`${URL}healthz`).then(({ ok }) => ok, () => false);
const SHOTS = process.env.LOYD_SHOTS;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS = new Set(['serious', 'critical']);
export const WIDTHS = [390, 820, 1440];
export const SLOW = { timeout: 12_000 };

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.LOYD_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
after(() => browser?.close());

/** Serves another site during the tests of a file: {folder, address}. Its first page has this content. */
export function otherSite(content) {
  const site = { folder: mkdtempSync(join(tmpdir(), 'loyd-site-')) };
  before(async () => {
    writeFileSync(join(site.folder, 'index.html'), `<!doctype html><title>Another site</title><link rel="icon" href="data:,">${content}`);
    Object.assign(site, await host(site.folder));
  });
  after(() => {
    site.server.close();
    rmSync(site.folder, { recursive: true });
  });
  return site;
}

/**
 * Defines a test with a page at a link, after `ready` matches something. It fails if the page logs an error or requests
 * anything from another host.
 */
export function onPage(name, link, check, { ready = '.view .board .tile', ...options } = {}) {
  test(name, { timeout: 120_000 }, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
    const page = await context.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // Browsers log rejected requests and a missing network; tests provoke both.
      if (message.type() === 'error' && !/status of 4\d\d|healthz|ERR_INTERNET_DISCONNECTED/.test(message.text() + message.location().url)) faults.push(message.text());
    });
    page.on('request', (request) => { if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(URL)) faults.push(`requested ${request.url()}`); });
    try {
      page.setDefaultTimeout(SLOW.timeout);
      await page.goto(URL + link);
      await page.locator(ready).first().waitFor();
      await check(page, context);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  });
}

/** Repeats a check until it passes, because views are drawn after the event that changes them. */
export async function eventually(check) {
  const end = Date.now() + SLOW.timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

/** Waits until an element has a text. */
export async function reads(page, selector, expected) {
  const element = page.locator(selector).first();
  const end = Date.now() + SLOW.timeout;
  let text = '';
  while (Date.now() < end) {
    text = (await element.innerText({ timeout: SLOW.timeout })).replace(/\s+/g, ' ').trim();
    if (expected.test(text)) return text;
    await page.waitForTimeout(50);
  }
  return assert.match(text, expected);
}

/** Returns the tiles of the board by their position on the screen. */
export const board = (page, selector = '.board') => page.locator(selector).first().evaluate((element) => {
  const pieces = [...element.querySelectorAll('.tile, .hole')].map((piece) => ({ text: piece.innerText || '0', box: piece.getBoundingClientRect() }));
  pieces.sort((a, b) => (Math.abs(a.box.top - b.box.top) > 6 ? a.box.top - b.box.top : a.box.left - b.box.left));
  const rows = [];
  let top = -100;
  for (const { text, box } of pieces) {
    if (Math.abs(box.top - top) > 6) rows.push([]);
    top = box.top;
    rows.at(-1).push(text.trim());
  }
  return rows.map((row) => row.join(' ')).join('/');
});

export async function boardIs(page, expected, selector) {
  const end = Date.now() + 5000;
  let found = null;
  while (Date.now() < end) {
    found = await board(page, selector);
    if (found === expected) return;
    await page.waitForTimeout(50);
  }
  assert.equal(found, expected);
}

/** Checks that axe-core reports no serious violation. */
export async function isAccessible(page) {
  // The page's policy forbids foreign scripts, so axe is evaluated through the debugger.
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => SERIOUS.has(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`), []);
}

/** Checks that nothing overflows horizontally. */
export async function fits(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window}`);
}

/**
 * Defines tests at each width, light and dark, that take a picture and check for violations and overflow. With
 * WebAssembly there is one width, because the page looks the same.
 */
export function looks(name, link, prepare, options = {}) {
  for (const width of isServer ? WIDTHS : WIDTHS.slice(0, 1)) {
    onPage(`${name} looks right at ${width} px`, link, async (page) => {
      await prepare(page);
      await page.evaluate(() => scrollTo(0, 0));
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await fits(page);
        await isAccessible(page);
        if (!SHOTS) continue;
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    }, { viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: 'light', hasTouch: width < 500, reducedMotion: 'reduce', ...options });
  }
}
