// Service worker of a static site: caches the page for offline use. The network has priority over the cache, so that
// new versions are seen at once.
const CACHE = 'loyd-page';
export const FILES = [
  './', 'embed.html', 'app.js', 'slot.js', 'icon.svg', 'picture.svg',
  ...['base', 'board', 'inside', 'later', 'learn', 'race', 'show', 'tokens', 'train', 'views'].map((name) => `style/${name}.css`),
  ...['engine', 'fault', 'hidden', 'loyd_wasm', 'read', 'wasm', 'worker'].map((name) => `engine/${name}.js`), 'engine/loyd_wasm_bg.wasm',
  ...['board', 'board_set', 'choices', 'edit', 'game', 'goals', 'kind', 'link', 'matrix', 'moves', 'parse', 'pattern', 'pseudocode', 'race', 'read_moves', 'replay', 'review', 'rows', 'scramble', 'session', 'solvable', 'solve_files', 'solve_record', 'trace', 'tree_layout'].map((name) => `puzzle/${name}.js`),
  ...['arcs', 'board', 'chart', 'chips', 'clock_face', 'colours', 'controls', 'dom', 'drag_tiles', 'fields', 'file_panel', 'full_screen', 'gap', 'gestures', 'lane', 'layers', 'numbers', 'paste', 'pattern_figure', 'picture', 'play_settings', 'player', 'race_replay', 'race_table', 'review', 'session_chart', 'session_panel', 'setup', 'small_boards', 'solve_list', 'style', 'swap', 'timeline', 'tree', 'unsolvable', 'wave'].map((name) => `parts/${name}.js`),
  ...['animated_svg', 'drawing', 'gif', 'panel', 'picture'].map((name) => `export/${name}.js`),
  ...['advice', 'board_set', 'clock', 'enter', 'game_link', 'games', 'inside', 'keys', 'learn', 'lessons', 'link_parts', 'looks', 'modes', 'play', 'play_frame', 'race', 'read_text', 'set_maker', 'settings', 'store', 'trainer', 'watch'].map((name) => `views/${name}.js`),
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
