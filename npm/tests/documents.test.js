// Runs the examples of the package's documents in Node.js. A comment after `console.log(…);` is what that line prints.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { blocksOf } from './documents.js';

const run = promisify(execFile);
const blocks = blocksOf('js');

test('there are examples', () => assert.ok(blocks.length >= 5));

for (const { name, text } of blocks) {
  test(name, async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', text], { timeout: 120_000 });
    const expected = [...text.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map(([, line]) => line);
    const printed = stdout.split('\n');
    // Lines without a comment may print anything.
    let place = -1;
    for (const line of expected) {
      place = printed.indexOf(line, place + 1);
      assert.ok(place >= 0, `${line} is not in ${stdout}`);
    }
    assert.ok(stdout || !text.includes('console.log'));
  });
}
