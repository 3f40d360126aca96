import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { FILES } from '../offline.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = ['engine/loyd_wasm.js', 'engine/loyd_wasm_bg.wasm'];
/** Files that a static site does not need: the server's engine, and files of the tests. */
const NOT_CACHED = ['engine/server.js', 'offline.js', 'package.json', 'index.html', 'README.md'];
const files = ['style', 'engine', 'puzzle', 'parts', 'views', 'export', '.'].flatMap((folder) => readdirSync(ROOT + folder, { withFileTypes: true })
  .filter((entry) => entry.isFile()).map(({ name }) => (folder === '.' ? name : `${folder}/${name}`)));

test('all files of the page are cached for offline use', () => {
  assert.deepEqual([...FILES.filter((file) => file !== './' && !BUILT.includes(file))].sort(), files.filter((file) => !NOT_CACHED.includes(file) && !BUILT.includes(file)).sort());
});

test('nothing is loaded from other hosts, and the policy is as narrow as possible', () => {
  const index = readFileSync(`${ROOT}index.html`, 'utf8');
  assert.match(index, /content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"/);
  assert.doesNotMatch(index, /<script(?![^>]*src=)|style="|<style|https?:/);
  for (const file of files.filter((name) => /\.(js|css)$/.test(name))) {
    const text = readFileSync(ROOT + file, 'utf8');
    const hosts = [...text.matchAll(/https?:\/\/[\w.]+/g)].map(([host]) => host).filter((host) => !/w3\.org|slidysim\.github\.io/.test(host));
    assert.deepEqual(hosts, [], file);
    assert.doesNotMatch(text, /innerHTML|\beval\(|new Function/, file);
  }
});

test('files stay short enough to read', () => {
  for (const file of files.filter((name) => /\.(js|css)$/.test(name))) assert.ok(readFileSync(ROOT + file, 'utf8').split('\n').length < 400, file);
});
