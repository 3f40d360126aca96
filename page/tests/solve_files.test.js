import assert from 'node:assert/strict';
import test from 'node:test';
import { replayLink } from '../puzzle/replay.js';
import { parseBoard } from '../puzzle/parse.js';
import { csvRows, readSolves, writeCsTimer, writeCsv, writeJson } from '../puzzle/solve_files.js';

const HERE = '5x5 blank-last';

/** Reads a file: its sessions, and their solves in one list. */
async function read(text) {
  const found = await readSolves(text, HERE);
  return { ...found, solves: found.sessions.flatMap(({ solves }) => solves) };
}

const full = {
  kind: '3x3 blank-last', date: 1_790_000_000_123, ms: 2500, length: 2, moves: 'rd', times: [0, 2500], board: '1 2 3/4 0 5/7 8 6', seed: '77', scramble: '', dnf: true,
  comment: 'a "quoted", long\nremark', isPaused: true, optimal: 2, memo: 900,
};
const bare = { kind: '4x4 snake', date: 0, ms: 12_340, length: null, moves: '', times: [], board: '', seed: '', scramble: 'R2 D L', dnf: false, comment: '', isPaused: false };
const relay = { ...bare, kind: 'relay 2x2+3x3 blank-last', length: 3, splits: [{ board: '1 2/0 3', moves: 'r', times: [5], ms: 5 }, { board: '1 2 3/4 0 5/7 8 6', moves: 'rd', times: [1, 2], ms: 2 }] };
const ALL = [full, bare, relay];

test('JSON and CSV return every field of every solve', async () => {
  const numbered = ALL.map((solve, id) => ({ ...solve, id }));
  for (const text of [writeJson(numbered), writeCsv(numbered), `\uFEFF${writeCsv(numbered).replaceAll('\r\n', '\n')}`]) {
    const { solves, faults, notes } = await read(text);
    assert.deepEqual([solves, faults, notes], [ALL, [], []]);
  }
  assert.equal(writeCsv([full]).split('\r\n')[0].slice(0, 40), 'session,date,time_ms,moves,tps,dnf,comme');
  assert.match(writeCsv([full]), /^3x3 blank-last,2026-09-21T\d\d:\d\d:\d\d\.123Z,2500,2,0\.800,DNF,"a ""quoted"", long\nremark",/m);
});

test('rows of CSV have the number of their first line', () => {
  assert.deepEqual(csvRows('a,b\n\n"1\n2",""""\r\n3,').map(({ line, cells }) => [line, ...cells]), [[1, 'a', 'b'], [3, '1\n2', '"'], [5, '3', '']]);
});

test('a damaged line is reported with its number, and the rest is read', async () => {
  const csv = 'session,date,time_ms,board,solution\n3x3 blank-last,2026-09-21T10:00:00Z,1500,,\nx,2026-09-21T10:00:00Z,1,,\n3x3 blank-last,yesterday,1,,\n3x3 blank-last,,-5,,\n3x3 blank-last,,1\n3x3 blank-last,,1,1 2 3/4 5 6/7 8 0,d\n3x3 blank-last,,9,,\n';
  const { solves, faults } = await read(csv);
  assert.deepEqual(solves.map(({ ms }) => ms), [1500, 9]);
  assert.equal(solves[0].date, Date.UTC(2026, 8, 21, 10));
  assert.deepEqual(faults, [
    'Line 3: “x” is not a kind of solve, such as “4x4 blank-last”.', 'Line 4: The date is not valid.', 'Line 5: The time is not a whole number of milliseconds up to 1,000,000,000.',
    'Line 6: There are 3 fields; the header has 5.', 'Line 7: The moves do not fit the board.',
  ]);
  const json = await read(JSON.stringify({ format: 'loyd solves', version: 1, solves: [bare, null, { ...full, times: [1] }, { ...relay, splits: [{ ms: 'x' }] }] }));
  assert.deepEqual(json.solves, [bare]);
  assert.deepEqual(json.faults, ['Solve 2: This is not a solve.', 'Solve 3: There are 1 times for 2 moves.', 'Solve 4: A split has no time in whole milliseconds.']);
});

test('sessions of csTimer go to the size of their puzzle, or to that in their name', async () => {
  const solve = (ms, penalty = 0, seconds = 1_700_000_000) => [[penalty, ms], "R2 D L", 'note', seconds];
  const data = {
    session1: [solve(12_340), solve(11_000, 2000), solve(9000, -1)],
    session2: [solve(5000)], session3: [solve(7000)], session4: [solve(60_000)], session5: [], session6: [solve(1), 'x', [[0, 'y'], '', '', 5], [[-7, 5], '', '', 5]],
    properties: { sessionData: JSON.stringify({ 1: { name: 1, opt: { scrType: '15prp' } }, 2: { name: 'x', opt: { scrType: '8prap' } }, 3: { name: 'Sliding 6×5', opt: {} }, 4: { name: '4x4', opt: { scrType: '444wca' } }, 6: { name: 'mine', opt: {} } }) },
  };
  const { solves, faults, notes } = await read(JSON.stringify(data));
  assert.deepEqual(solves.map(({ kind, ms, dnf }) => [kind, ms, dnf]), [
    ['4x4 blank-last', 12_340, false], ['4x4 blank-last', 13_000, false], ['4x4 blank-last', 9000, true], ['3x3 blank-last', 5000, false], ['6x5 blank-last', 7000, false], [HERE, 1, false],
  ]);
  assert.deepEqual(solves[0], { ...bare, kind: '4x4 blank-last', date: 1_700_000_000_000, comment: 'note' });
  assert.deepEqual(faults.map((fault) => fault.slice(0, 18)), ['session6, solve 2:', 'session6, solve 3:', 'session6, solve 4:']);
  assert.deepEqual(notes, ['session4, because it is of another puzzle.']);
  const plain = await read(JSON.stringify({ session1: JSON.stringify([solve(8000)]) }));
  assert.deepEqual(plain.solves.map(({ kind, ms }) => [kind, ms]), [[HERE, 8000]]);
});

test('a file for csTimer has a session for each kind, and its solves are read again', async () => {
  const other = { ...bare, kind: '4x4 blank-last', date: 1_700_000_000_999, comment: 'note' };
  const text = writeCsTimer([full, bare, other, relay]);
  const { session1, session3, properties } = JSON.parse(text);
  assert.deepEqual([session1, session3], [[[[-1, 2500], full.board, full.comment, 1_790_000_000]], [[[0, 12_340], 'R2 D L', 'note', 1_700_000_000]]]);
  const described = JSON.parse(properties.sessionData);
  assert.deepEqual(described[1], { name: '3x3 blank-last', opt: { scrType: '8prp' }, rank: 1 });
  assert.deepEqual([described[2].opt, described[3].opt, properties.sessionN], [{}, { scrType: '15prp' }, 4]);
  const { sessions, faults, notes } = await read(text);
  assert.deepEqual([faults, notes], [[], []]);
  assert.deepEqual(sessions.map(({ name, solves: [{ kind, ms, dnf }] }) => [name, kind, ms, dnf]), [
    ['session1 “3x3 blank-last”', full.kind, 2500, true], ['session2 “4x4 snake”', bare.kind, 12_340, false],
    ['session3 “4x4 blank-last”', other.kind, 12_340, false], ['session4 “relay 2x2+3x3 blank-last”', relay.kind, 12_340, false],
  ]);
});

test('replay links of slidysim give the time of their last move', async () => {
  const { board } = parseBoard(full.board);
  const link = await replayLink(board, 'rd', { rate: 2, times: [100, 1234] });
  const unsolved = await replayLink(board, 'r', { rate: 2, times: [0] });
  const { solves, faults } = await read(`${link}\n\nhttps://slidysim.github.io/replay?r=abc\n${unsolved}\n`);
  assert.deepEqual(solves, [{ ...bare, kind: '3x3 blank-last', ms: 1234, length: 2, moves: 'rd', times: [100, 1234], board: full.board, scramble: '' }]);
  assert.deepEqual(faults, ['Line 3: This is not a replay link: the part after r= cannot be read.', 'Line 4: The moves of this replay do not solve its board.']);
});

for (const [text, fault] of [
  ['hello', /none of these/], ['', /none of these/], ['{"a": 1', /JSON is damaged/], ['{"a": 1}', /neither an export/], ['[]', /neither an export/],
  ['{"format": "loyd solves", "version": 2}', /has version 2/], ['{"format": "loyd solves", "version": 1}', /no list of solves/], ['session,date\n', /lacks time_ms/],
]) test(`the file ${text || 'without text'} is refused`, () => assert.rejects(readSolves(text, HERE), fault));
