// Service worker of a static site: caches the page for offline use. The network has priority over the cache, so that
// new versions are seen at once.
const CACHE = 'loyd-page';
export const FILES = [
  './', 'app.js', 'slot.js', 'icon.svg',
  ...['tokens', 'base', 'board', 'views'].map((name) => `style/${name}.css`),
  ...['engine', 'hidden', 'read', 'wasm', 'worker', 'loyd_wasm'].map((name) => `engine/${name}.js`), 'engine/loyd_wasm_bg.wasm',
  ...['board', 'edit', 'game', 'goals', 'link', 'matrix', 'moves', 'parse', 'pattern', 'race', 'replay', 'review', 'rows', 'solvable', 'trace'].map((name) => `puzzle/${name}.js`),
  ...['arcs', 'board', 'chart', 'chips', 'controls', 'dom', 'drag_tiles', 'gap', 'gestures', 'numbers', 'paste', 'pattern_figure', 'player', 'race_replay', 'race_table', 'review', 'setup', 'solves', 'tree', 'unsolvable'].map((name) => `parts/${name}.js`),
  ...['bests', 'enter', 'game_link', 'games', 'inside', 'learn', 'lessons', 'play', 'race', 'read_text', 'watch'].map((name) => `views/${name}.js`),
];

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const found = await fetch(request);
    if (found.ok) await cache.put(request, found.clone());
    return found;
  } catch (error) {
    const known = await cache.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
}

if (globalThis.ServiceWorkerGlobalScope) {
  // A missing file, such as the engine of a site built without it, does not prevent the caching of the others.
  self.addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(FILES.map((file) => cache.add(file))))));
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const { method, url } = event.request;
    if (method === 'GET' && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
  });
}
