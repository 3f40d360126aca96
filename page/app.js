// The router: the part of the address after `#` names the view and its whole state.
import { openEngine } from './engine/engine.js';
import { button, copyFrom, faultNote, note, segments } from './parts/controls.js';
import { fill, h } from './parts/dom.js';
import { formatBoard } from './puzzle/board.js';
import { formatLink, parseLink } from './puzzle/link.js';
import { openSlot } from './slot.js';

const VIEWS = {
  play: ['Play', () => import('./views/play.js')],
  enter: ['Enter', () => import('./views/enter.js')],
  watch: ['Watch', () => import('./views/watch.js')],
  race: ['Race', () => import('./views/race.js')],
  inside: ['Look inside', () => import('./views/inside.js')],
  learn: ['Learn', () => import('./views/learn.js')],
};
const LINK_MS = 200;
const main = document.getElementById('main');
const engine = openEngine();
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

function tabs(current) {
  fill(document.querySelector('.tabs'), Object.entries(VIEWS).map(([name, [title]]) =>
    h('a', { href: formatLink(name, name === current ? {} : takenOver(name)), 'aria-current': name === current ? 'page' : null }, title)));
}

const takenOver = (name) => (name === 'learn' ? {} : carried);

/** The address is updated at most every LINK_MS, because browsers throttle more frequent changes. */
const link = { pending: null, state: null, timer: null, written: -LINK_MS };

function writeLink() {
  clearTimeout(link.timer);
  if (link.pending) history.replaceState(link.state, '', location.pathname + location.search + link.pending);
  Object.assign(link, { pending: null, timer: null, written: performance.now() });
}

/** The interface of the router that views use. */
function context(view) {
  return {
    engine,
    /**
     * Updates the address, at most every LINK_MS, and the state of its history entry, which is not part of the address.
     * Other views take over the board and the goal.
     */
    keep(params, carry = { board: params.board, goal: params.goal }, state = null) {
      if (shown?.view !== view) return;
      Object.assign(link, { pending: formatLink(view, params), state });
      link.timer ??= setTimeout(writeLink, link.written + LINK_MS - performance.now());
      carried = carry;
      tabs(view);
    },
    /** The state that was kept with the address. */
    state: () => history.state,
    /** Adds a history entry: Back returns to the address and the state kept so far. */
    push() {
      writeLink();
      history.pushState(null, '', location.href);
    },
    go: (name, params) => { location.hash = formatLink(name, params); },
  };
}

async function show() {
  const { view: requested, params: given } = parseLink(location.hash);
  const isKnown = !requested || VIEWS[requested];
  const view = VIEWS[requested] ? requested : 'play';
  const params = isKnown ? given : { fault: `There is no view “${requested}”.` };
  const [title, load] = VIEWS[view];
  shown?.leave?.();
  clearTimeout(link.timer);
  Object.assign(link, { pending: null, timer: null });
  const mine = { view };
  shown = mine;
  tabs(view);
  document.title = `${title} · Loyd`;
  const module = await load().catch((error) => error);
  if (shown !== mine) return;
  if (module instanceof Error) {
    console.warn(module);
    fill(main, note('bad', `${title} could not be loaded.`, 'Is the server running? Your game and your board are safe.', { role: 'alert' }), button('Try again', show, 'primary'));
    return;
  }
  const copy = button('Copy link', () => { writeLink(); copyFrom(copy, location.href); }, 'plain');
  const content = h('div', {});
  const section = h('section', { class: `view ${view}-view`, 'aria-labelledby': 'title' },
    h('div', { class: 'view-head' }, h('div', {}, h('h1', { id: 'title' }, title), h('p', {}, module.LEAD)), copy), content);
  fill(main, section);
  try {
    mine.leave = module.show(content, params, context(view));
  } catch (error) {
    console.error(error);
    content.append(faultNote(error));
  }
}

/** Handles addresses made by other sites: `?scramble=` for a solver slot, `?r=` for a replay. */
function foreignAddress() {
  const query = new URLSearchParams(location.search);
  if (query.has('scramble')) {
    const board = openSlot(query.get('scramble'), engine);
    if (!location.hash) history.replaceState(null, '', formatLink('watch', { board: board ? formatBoard(board) : query.get('scramble') }));
  } else if (query.has('r') && !location.hash) history.replaceState(null, '', formatLink('watch', { r: query.get('r') }));
  return query.has('scramble');
}

function begin() {
  document.querySelector('.theme').replaceWith(h('div', { class: 'theme' }, theme()));
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  const isSlot = foreignAddress();
  if (window.top === window) {
    addEventListener('hashchange', show);
    addEventListener('pagehide', writeLink);
    show();
  } else if (!isSlot) fill(main, note('warn', 'This page cannot be shown inside other pages.', h('a', { href: location.href, target: '_blank' }, 'Open it in a new tab')));
}

begin();
