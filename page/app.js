// The router: the part of the address after `#` names the view and its whole state.
import { openEngine } from './engine/engine.js';
import { button, copyFrom, faultNote, loadPart, note, segments } from './parts/controls.js';
import { announce, fill, h, set } from './parts/dom.js';
import { formatLink, parseLink } from './puzzle/link.js';

const VIEWS = {
  play: ['Play', () => import('./views/play.js')],
  enter: ['Enter', () => import('./views/enter.js')],
  watch: ['Watch', () => import('./views/watch.js')],
  race: ['Race', () => import('./views/race.js')],
  inside: ['Look inside', () => import('./views/inside.js')],
  learn: ['Learn', () => import('./views/learn.js')],
};
/** Views that are shown in full screen. */
const LARGE = new Set(['play', 'watch', 'inside', 'learn']);
/** Whether this is embed.html, which other sites may show in a frame: two of the views, without the bar. */
const isEmbedded = document.body.classList.contains('embedded');
/** Views of one board: they can be embedded, and show sets of boards. */
const OF_A_BOARD = new Set(['play', 'watch']);
/** Browsers throttle more frequent changes of the address; Safari refuses more than 100 in 30 s. */
const LINK_MS = 400;
const main = document.getElementById('main');
/** The engine starts once the first view is on display, so that it does not delay it. */
let startEngine;
const engine = new Promise((resolve) => { startEngine = () => resolve(openEngine()); });
// A static site works offline after the first visit.
engine.then(({ kind }) => kind === 'wasm' && navigator.serviceWorker?.register('offline.js', { type: 'module' })).catch(() => {});
let shown = null;
/** Board and goal that the next view takes over. */
let carried = {};

function theme() {
  const choose = (value) => {
    if (value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    try { localStorage.setItem('loyd.theme', value); } catch { /* storage is disabled */ }
  };
  let value = 'auto';
  try { value = localStorage.getItem('loyd.theme') ?? 'auto'; } catch { /* storage is disabled */ }
  choose(value);
  return segments('Theme', [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']], value, choose);
}

const tabs = Object.entries(VIEWS).map(([name, [title]]) => ({ name, element: h('a', {}, title) }));

/** Lets the links to the other views have the current board and goal. */
function carryOver() {
  for (const { name, element } of tabs) element.href = formatLink(name, name === shown?.view || name === 'learn' ? {} : carried);
}

function showTabs() {
  for (const { name, element } of tabs) set(element, { 'aria-current': name === shown.view ? 'page' : null });
  carryOver();
}

/** Creates the button that shows the content alone on the whole screen. The content stays there when the view changes. */
function fullScreenButton(view) {
  const name = () => (document.fullscreenElement ? 'Leave full screen' : 'Full screen');
  const toggle = button(name(), async (event) => (await part(() => import('./parts/full_screen.js')))?.change(main, event), 'plain');
  main.onfullscreenchange = () => { toggle.textContent = name(); };
  toggle.hidden = !document.fullscreenEnabled || !(LARGE.has(view) || document.fullscreenElement);
  return toggle;
}

/** Creates the button that copies the address; in a frame, the link that opens it in a new tab. */
function shareButton() {
  const share = isEmbedded
    // The base of embed.html is the folder of the page.
    ? h('a', { class: 'btn plain', href: location.hash, onclick: () => { writeLink(); share.href = location.hash; } }, 'Open in Loyd')
    : button('Copy link', () => { writeLink(); copyFrom(share, location.href); }, 'plain');
  return share;
}

/** The next address and state of the current history entry. `shown` is the address of the view on display. */
const link = { pending: null, state: null, timer: null, written: -LINK_MS, shown: null };

function writeLink() {
  clearTimeout(link.timer);
  // Once the reader has left this address, the entry is not that of the view on display.
  if (link.pending && location.hash === link.shown) changeHistory('replaceState', link.state, link.pending);
  Object.assign(link, { pending: null, timer: null, written: performance.now(), shown: location.hash });
  carryOver();
}

function changeHistory(how, state, hash) {
  try {
    history[how](state, '', location.pathname + location.search + hash);
  } catch { /* the browser throttles; the address stays behind */ }
}

/** The interface of the router that views use. */
function context(view) {
  return {
    engine,
    /**
     * Updates the address, at most every LINK_MS, and the state of its history entry, which is not part of the address.
     * Other views take over the board and the goal in `carry`. If it is null, they keep what they had.
     */
    keep(params, carry = { board: params.board, goal: params.goal }, state = null) {
      if (shown?.view !== view) return;
      Object.assign(link, { pending: formatLink(view, params), state });
      link.timer ??= setTimeout(writeLink, link.written + LINK_MS - performance.now());
      if (carry) carried = carry;
    },
    /** The state that was kept with the address. */
    state: () => history.state,
    /** Adds a history entry: Back returns to the address and the state kept so far. */
    push() {
      writeLink();
      changeHistory('pushState', null, location.hash);
      link.written = -LINK_MS;
    },
    /** Returns the address of the view as it is now. */
    address() {
      writeLink();
      return location.href;
    },
    go: (name, params) => { location.hash = formatLink(name, params); },
  };
}

async function setOf(load) {
  const { inSet } = await import('./views/board_set.js');
  return inSet(await load());
}

/** Returns a view once it has what it needs to show `params` at once. */
async function loaded(loading, params) {
  const view = await loading;
  await view.prepare?.(params);
  return view;
}

async function show() {
  const { view: requested, params } = parseLink(location.hash);
  const view = Object.hasOwn(VIEWS, requested) ? requested : 'play';
  const fault = requested && view !== requested ? `There is no view “${requested}”.` : null;
  const [title, load] = VIEWS[view];
  shown?.leave?.();
  shown?.reading.abort();
  clearTimeout(link.timer);
  Object.assign(link, { pending: null, timer: null, shown: location.hash });
  const isReload = !shown && performance.getEntriesByType('navigation')[0]?.type === 'reload';
  const mine = { view, reading: new AbortController() };
  shown = mine;
  if (isEmbedded && !OF_A_BOARD.has(view)) return refuse('Only Play and Watch can be shown inside other pages.');
  announce('');
  showTabs();
  document.title = `${title} · Loyd`;
  const isSet = params.set !== undefined && OF_A_BOARD.has(view);
  const module = await loaded(isSet ? setOf(load) : load(), params).catch((error) => error);
  if (shown !== mine) return;
  if (module instanceof Error) {
    console.warn(module);
    fill(main, note('bad', `${title} could not be loaded.`, 'Is the server running? Your game and your board are safe.', { role: 'alert' }), button('Try again', () => location.reload(), 'primary'));
    return;
  }
  const content = h('div', {});
  const section = h('section', { class: `view ${view}-view`, 'aria-labelledby': 'title' },
    h('div', { class: 'view-head' }, h('h1', { id: 'title' }, title), h('p', {}, module.LEAD), h('div', { class: 'row' }, fullScreenButton(view), shareButton())), content);
  fill(main, section);
  try {
    mine.leave = module.show(content, params, { ...context(view), isReload, fault, signal: mine.reading.signal });
  } catch (error) {
    console.error(error);
    content.append(faultNote(error));
  }
  // There are no frames in the background.
  if (document.hidden) startEngine();
  else requestAnimationFrame(() => setTimeout(startEngine));
}

/** Shows a text in place of the view, with a link that opens the view in a new tab. */
const refuse = (text) => fill(main, note('warn', text, h('a', { href: location.hash || location.href, target: '_blank' }, 'Open it in a new tab')));

/** Loads a part of the page; null after showing above the view that this failed. */
const part = (load) => loadPart(load, (fault) => {
  document.querySelector('main > .note.bad')?.remove();
  main.prepend(fault);
});

/** Offers the board of a text that is pasted outside of fields. */
async function paste(event) {
  if (event.defaultPrevented || event.target.closest?.(':read-write')) return;
  event.preventDefault();
  const text = event.clipboardData.getData('text/plain');
  const { view, reading: { signal } } = shown;
  const reader = await part(() => import('./parts/paste.js'));
  if (reader && !signal.aborted) reader.offerPasted(text, { ...context(view), view, signal, goalText: carried.goal });
}

/** Handles addresses made by other sites: `?scramble=` for a solver slot, `?r=` for a replay. Returns whether this is a slot. */
async function foreignAddress() {
  if (!/[?&](scramble|r)=/.test(location.search)) return false;
  const slot = import('./slot.js').then(({ openForeign }) => openForeign(engine, startEngine));
  // Messages may arrive before the module.
  addEventListener('message', async (event) => event.data === 'GetContent' && (await slot)?.answer(event));
  return Boolean(await slot);
}

async function begin() {
  const choice = theme();
  document.querySelector('.theme')?.replaceWith(h('div', { class: 'theme' }, choice));
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  const isSlot = !isEmbedded && await foreignAddress();
  if (window.top === window || isEmbedded) {
    const nav = document.querySelector('.tabs');
    nav?.append(...tabs.map(({ element }) => element));
    // The links are written with the address, which may be some moves behind.
    for (const name of ['pointerdown', 'click']) nav?.addEventListener(name, carryOver);
    addEventListener('hashchange', show);
    // Entries with the same address may belong to different games.
    addEventListener('popstate', () => location.hash === link.shown && show());
    addEventListener('pagehide', writeLink);
    addEventListener('paste', paste);
    show();
  } else if (!isSlot) refuse('This page cannot be shown inside other pages.');
}

begin();
