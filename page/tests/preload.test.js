import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'node:test';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Returns the modules that a module imports when it is loaded. */
const importsOf = (file) => [...read(file).matchAll(/^import [^;]*?from '(.+?)';$/gm)].map(([, path]) => posix.join(posix.dirname(file), path));

function reachable(...files) {
  const found = new Set(files);
  for (const file of found) importsOf(file).forEach((path) => found.add(path));
  return found;
}

test('the page preloads the modules of its first view, and no others', () => {
  const preloaded = [...read('index.html').matchAll(/<link rel="modulepreload" href="(.+?)">/g)].map(([, path]) => path);
  const needed = reachable('app.js', 'views/play.js');
  needed.delete('app.js');
  assert.deepEqual(preloaded, [...needed].sort());
});
