// Checks programs in TypeScript against the types of the installed package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';

const OPTIONS = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable', '--skipLibCheck', 'false', '--types', ''];

/** Returns the numbers of the lines with errors, and what the compiler prints. */
function check(file) {
  const { stdout, status } = spawnSync(join(process.env.LOYD_PROGRAMS, 'tsc'), [...OPTIONS, file], { encoding: 'utf8' });
  const lines = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([, name, line]) => `${name}:${line}`);
  return { status, stdout, lines: [...new Set(lines)] };
}

test('a program that uses every function has no errors', () => {
  const { status, stdout } = check('types.ts');
  assert.equal(status, 0, stdout);
});

test('wrong uses are errors', () => {
  const { status, stdout, lines } = check('wrong.ts');
  assert.notEqual(status, 0);
  assert.deepEqual(lines, ['wrong.ts:4', 'wrong.ts:5', 'wrong.ts:6', 'wrong.ts:7'], stdout);
});
