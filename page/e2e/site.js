// A minimal static server: `node site.js DIR` serves a folder and prints its address.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** Serves a folder at a free port; returns the server and its address. */
export function host(folder) {
  const server = createServer((request, response) => {
    // A parsed URL contains no `..`.
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    return createReadStream(file).pipe(response);
  });
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => found({ server, address: `http://127.0.0.1:${server.address().port}/` }));
  });
}

if (argv[1] && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  const { address } = await host(argv[2]);
  console.log(JSON.stringify({ address }));
}
