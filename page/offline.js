// The service worker of a static site: keeps the page, so that it opens without a network. What the network has comes
// first, so that a new version is seen at once.
const KEPT = 'loyd-page';
export const FILES = [
  './', 'app.js', 'slot.js', 'icon.svg',
  ...['tokens', 'base', 'board', 'views'].map((name) => `style/${name}.css`),
  ...['engine', 'wasm', 'worker', 'loyd_wasm'].map((name) => `engine/${name}.js`), 'engine/loyd_wasm_bg.wasm',
  ...['board', 'game', 'goals', 'link', 'matrix', 'moves', 'parse', 'pattern', 'replay', 'review', 'rows', 'solvable', 'trace'].map((name) => `puzzle/${name}.js`),
  ...['arcs', 'board', 'chart', 'chips', 'controls', 'dom', 'gap', 'gestures', 'numbers', 'pattern_figure', 'player', 'race_table', 'review', 'setup', 'solves', 'tree'].map((name) => `parts/${name}.js`),
  ...['bests', 'enter', 'inside', 'learn', 'lessons', 'play', 'race', 'watch'].map((name) => `views/${name}.js`),
];

async function answer(request) {
  const kept = await caches.open(KEPT);
  try {
    const found = await fetch(request);
    if (found.ok) await kept.put(request, found.clone());
    return found;
  } catch (error) {
    const known = await kept.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
}

if (globalThis.ServiceWorkerGlobalScope) {
  // A file that is not there, as the engine of a site that was built without it, does not keep the others from being kept.
  self.addEventListener('install', (event) => event.waitUntil(caches.open(KEPT).then((kept) => Promise.allSettled(FILES.map((file) => kept.add(file))))));
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const { method, url } = event.request;
    if (method === 'GET' && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
  });
}
