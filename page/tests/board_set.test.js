import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_BOARDS, formatSet, parseSet } from '../puzzle/board_set.js';
import { formatLink, parseLink } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';

const TEXTS = ['2 3 4/1 5 0/7 6 8', '1 2/3 0', '1 2 3/4 5 0'];

test('a set survives its link, in which semicolons stay readable', () => {
  const link = formatLink('play', { set: formatSet(TEXTS.map((text) => parseBoard(text).board)), number: 2 });
  assert.equal(link, '#play?set=2+3+4/1+5+0/7+6+8;1+2/3+0;1+2+3/4+5+0&number=2');
  const { set, number } = parseLink(link).params;
  assert.deepEqual(parseSet(set, number), { texts: TEXTS, number: 2, faults: [] });
});

test('an empty set, one that is too long, and a wrong number are reported', () => {
  assert.deepEqual(parseSet(' ; '), { texts: [], number: 1, faults: ['The set in this link has no boards.'] });
  const long = parseSet(new Array(60).fill('1 2/3 0').join(';'), '50');
  assert.deepEqual([long.texts.length, long.number], [MAX_BOARDS, 50]);
  assert.deepEqual(long.faults, ['The set in this link has 60 boards; the first 50 are shown.']);
  for (const number of ['4', '0', '-1', 'two', '1e1', '']) {
    assert.deepEqual(parseSet(TEXTS.join(';'), number).faults, [`There is no board “${number}” in this set; it has boards 1 to 3.`]);
    assert.equal(parseSet(TEXTS.join(';'), number).number, 1);
  }
});
