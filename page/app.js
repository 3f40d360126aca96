// The router: the part of the address after `#` names the view and all it needs to show the same again.
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
// A static site works without a network, once it has been seen.
engine.then(({ kind }) => kind === 'wasm' && navigator.serviceWorker?.register('offline.js', { type: 'module' })).catch(() => {});
let shown = null;
/** What other views take over: the board and the goal that were seen last. */
let carried = {};

function theme() {
  const choose = (value) => {
    if (value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    try { localStorage.setItem('loyd.theme', value); } catch { /* a browser that keeps nothing */ }
  };
  let value = 'auto';
  try { value = localStorage.getItem('loyd.theme') ?? 'auto'; } catch { /* likewise */ }
  choose(value);
  return segments('Theme', [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']], value, choose);
}

function tabs(current) {
  fill(document.querySelector('.tabs'), Object.entries(VIEWS).map(([name, [title]]) =>
    h('a', { href: formatLink(name, name === current ? {} : takenOver(name)), 'aria-current': name === current ? 'page' : null }, title)));
}

const takenOver = (name) => (name === 'learn' ? {} : carried);

/** Browsers refuse an address that changes too often. */
const link = { wanted: null, timer: null, written: -LINK_MS };

function writeLink() {
  clearTimeout(link.timer);
  if (link.wanted && location.hash !== link.wanted) history.replaceState(null, '', location.pathname + location.search + link.wanted);
  Object.assign(link, { wanted: null, timer: null, written: performance.now() });
}

/** What a view may use. */
function context(view) {
  return {
    engine,
    /** Keeps the address in step with what is shown, a few times a second at most. Other views take the board and the goal over. */
    keep(params, carry = { board: params.board, goal: params.goal }) {
      if (shown?.view !== view) return;
      link.wanted = formatLink(view, params);
      link.timer ??= setTimeout(writeLink, link.written + LINK_MS - performance.now());
      carried = carry;
      tabs(view);
    },
    go: (name, params) => { location.hash = formatLink(name, params); },
  };
}

async function show() {
  const { view: asked, params } = parseLink(location.hash);
  const view = VIEWS[asked] ? asked : 'play';
  const [title, load] = VIEWS[view];
  shown?.leave?.();
  clearTimeout(link.timer);
  Object.assign(link, { wanted: null, timer: null });
  const mine = { view };
  shown = mine;
  tabs(view);
  document.title = `${title} · Loyd`;
  const module = await load();
  if (shown !== mine) return;
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

/** Addresses that other sites make: `?scramble=` for a solver slot, `?r=` for a replay. */
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
    show();
  } else if (!isSlot) fill(main, note('warn', 'This page is not shown inside others.', h('a', { href: location.href, target: '_blank' }, 'Open it by itself')));
}

begin();
