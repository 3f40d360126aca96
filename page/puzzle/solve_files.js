// Files of solves: JSON and CSV of Loyd, exports of csTimer, and replay links of slidysim, which are only read.
// solve_record.js describes Loyd's forms. Readers return {sessions, faults, notes}: the valid solves as
// [{name, solves}], what is wrong with the others, and what was left out on purpose. Only csTimer has several sessions.
import { formatBoard, parseSize, walk } from './board.js';
import { goalOf, isSolved } from './goals.js';
import { kindOf, parseKind } from './kind.js';
import { readReplay, replayIn } from './replay.js';
import { tpsOf } from './session.js';
import { FORMAT, VERSION, checkedSolve } from './solve_record.js';

export const MOST_BYTES = 50_000_000;
const MOST_SOLVES = 200_000;
const COLUMNS = ['session', 'date', 'time_ms', 'moves', 'tps', 'dnf', 'comment', 'board', 'solution', 'move_times', 'seed', 'scramble', 'optimal', 'memo_ms', 'paused', 'splits'];

/** Formats solves as a JSON file. */
export function writeJson(solves) {
  const records = solves.map(({ id, ...record }) => JSON.stringify(record));
  return `{"format": "${FORMAT}", "version": ${VERSION}, "solves": [\n${records.join(',\n')}\n]}\n`;
}

const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Formats solves as a CSV file with a header. */
export function writeCsv(solves) {
  const rows = solves.map((solve) => [
    solve.kind, solve.date ? new Date(solve.date).toISOString() : '', solve.ms, solve.length ?? '', tpsOf(solve)?.toFixed(3) ?? '', solve.dnf ? 'DNF' : '', solve.comment,
    solve.board, solve.moves, solve.times.join(' '), solve.seed ?? '', solve.scramble ?? '', solve.optimal ?? '', solve.memo ?? '', solve.isPaused ? 'yes' : '',
    solve.splits ? JSON.stringify(solve.splits) : '',
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map((value) => quoted(String(value))).join(',')}\r\n`).join('');
}

/** Collects solves. A fault names the place of a damaged one. */
class Collector {
  constructor() {
    Object.assign(this, { sessions: [], faults: [], notes: [], count: 0 });
  }

  /** Adds a session; the next solves belong to it. */
  begin(name = '') {
    this.sessions.push({ name, solves: [] });
  }

  /** Adds the solve that `read()` returns, or what is wrong with it. */
  add(place, read) {
    this.count += 1;
    if (this.count > MOST_SOLVES) throw new Error(`The file has more than ${MOST_SOLVES.toLocaleString('en')} solves.`);
    try {
      this.sessions.at(-1).solves.push(checkedSolve(read()));
    } catch (error) {
      this.faults.push(`${place}: ${error.message}`);
    }
  }
}

/**
 * Reads a file of any of the known forms. Solves of sessions of csTimer without a name or a puzzle go to the kind `kind`.
 * Throws an Error if the file has none of the forms.
 */
export async function readSolves(text, kind) {
  const content = text.replace(/^\uFEFF/, '').trim();
  const found = new Collector();
  found.begin();
  if (/^[{[]/.test(content)) readJson(parsed(content), kind, found);
  else if (/^"?session"?,/i.test(content)) readCsv(content, found);
  else if (/[?&]r=/.test(content)) await readLinks(content, found);
  else throw new Error('This file is none of these: JSON or CSV of Loyd, an export of csTimer, replay links of slidysim.');
  const { sessions, faults, notes } = found;
  return { sessions: sessions.filter(({ solves }) => solves.length), faults, notes };
}

function parsed(content) {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`This JSON is damaged: ${error.message}.`);
  }
}

function readJson(data, kind, found) {
  if (data?.format === FORMAT) readOwn(data, found);
  else if (data && Object.keys(data).some((key) => /^session\d+$/.test(key))) readCsTimer(data, kind, found);
  else throw new Error(`This JSON is neither an export of csTimer nor of Loyd: it has no sessions, and its format is not “${FORMAT}”.`);
}

function readOwn({ version, solves }, found) {
  if (version !== VERSION) throw new Error(`This file has version ${version} of Loyd's form; this page reads version ${VERSION}.`);
  if (!Array.isArray(solves)) throw new Error('This file has no list of solves.');
  solves.forEach((solve, place) => found.add(`Solve ${place + 1}`, () => solve));
}

/** Splits CSV into rows [{line, cells}]; `line` is the number of their first line. */
export function csvRows(text) {
  const rows = [];
  let [row, cell, isQuoted, line] = [{ line: 1, cells: [] }, '', false, 1];
  const endRow = () => {
    row.cells.push(cell);
    if (row.cells.length > 1 || cell) rows.push(row);
    [row, cell] = [{ line, cells: [] }, ''];
  };
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place];
    if (sign === '\n') line += 1;
    if (isQuoted && sign === '"' && text[place + 1] === '"') {
      cell += '"';
      place += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === ',') {
      row.cells.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}

function readCsv(text, found) {
  const [{ cells: header }, ...rows] = csvRows(text);
  const missing = ['session', 'date', 'time_ms'].filter((name) => !header.includes(name));
  if (missing.length) throw new Error(`The header of this CSV file lacks ${missing.join(', ')}.`);
  for (const { line, cells } of rows) found.add(`Line ${line}`, () => solveOfRow(header, cells));
}

function solveOfRow(header, cells) {
  if (cells.length !== header.length) throw new Error(`There are ${cells.length} fields; the header has ${header.length}.`);
  const row = Object.fromEntries(header.map((name, place) => [name, cells[place]]));
  const number = (name) => (row[name] ? Number(row[name]) : null);
  return {
    kind: row.session, date: row.date ? Date.parse(row.date) : 0, ms: number('time_ms'), length: number('moves'), dnf: row.dnf === 'DNF', comment: row.comment, board: row.board,
    moves: row.solution, times: row.move_times ? row.move_times.split(' ').map(Number) : [], seed: row.seed, scramble: row.scramble, optimal: number('optimal'), memo: number('memo_ms'),
    isPaused: row.paused === 'yes', splits: row.splits ? JSON.parse(row.splits) : null,
  };
}

/** Sizes of csTimer's sliding puzzles, by the start of the name of a scramble: `15prp`, `8prap`, … */
const SLIDING = { 15: { width: 4, height: 4 }, 8: { width: 3, height: 3 } };

/** Formats solves as a file of csTimer, with a session for each kind. The moves, the board and fractions of a second of the date are lost. */
export function writeCsTimer(solves) {
  const kinds = [...new Set(solves.map(({ kind }) => kind))];
  const described = kinds.map((kind, place) => [place + 1, { name: kind, opt: optionsOf(kind), rank: place + 1 }]);
  const lists = kinds.map((kind, place) => [`session${place + 1}`, solves.filter((solve) => solve.kind === kind).map(solveForCsTimer)]);
  return JSON.stringify({ ...Object.fromEntries(lists), properties: { session: 1, sessionN: kinds.length, sessionData: JSON.stringify(Object.fromEntries(described)) } });
}

/** Returns the options of a session of csTimer: it has random boards of two sizes, with the usual goal. */
function optionsOf(kind) {
  const side = Object.keys(SLIDING).find((name) => kindOf({ sizes: [SLIDING[name]] }) === kind);
  return side ? { scrType: `${side}prp` } : {};
}

const solveForCsTimer = ({ ms, dnf, scramble, board, comment, date }) => [[dnf ? -1 : 0, ms], scramble || board, comment, Math.floor(date / 1000)];

/**
 * Returns the kind of a session of csTimer: by its sliding puzzle; if it has no puzzle, by a kind or a size in its name;
 * or `kind` if it has none of them. Returns null for other puzzles.
 */
function kindOfSession({ name = '', opt } = {}, kind) {
  const puzzle = opt?.scrType ?? '';
  const [, side] = /^(15|8)p/.exec(puzzle) ?? [];
  if (side) return kindOf({ sizes: [SLIDING[side]] });
  if (puzzle) return null;
  if (parseKind(String(name))) return kindOf(parseKind(String(name)));
  const size = parseSize(/\d+\s*[x×]\s*\d+/i.exec(String(name))?.[0]);
  return size ? kindOf({ sizes: [size] }) : kind;
}

function readCsTimer(data, kind, found) {
  let described = {};
  try {
    const { sessionData = {} } = data.properties ?? {};
    described = (typeof sessionData === 'string' ? JSON.parse(sessionData) : sessionData) ?? {};
  } catch {
    found.notes.push('the names of the sessions, which are damaged. All solves were added to the session on display.');
  }
  const names = Object.keys(data).filter((key) => /^session\d+$/.test(key)).sort((a, b) => Number(a.slice(7)) - Number(b.slice(7)));
  for (const name of names) {
    const about = described[name.slice(7)];
    found.begin(about?.name ? `${name} “${about.name}”` : name);
    readCsSession(name, data[name], kindOfSession(about, kind), found);
  }
}

function readCsSession(name, value, kind, found) {
  let solves = value;
  try {
    // Some versions write each session as a text of JSON.
    if (typeof value === 'string') solves = JSON.parse(value);
  } catch { /* reported below */ }
  if (!Array.isArray(solves)) found.faults.push(`${name}: This is not a list of solves.`);
  else if (solves.length === 0) return;
  else if (kind === null) found.notes.push(`${name}, because it is of another puzzle.`);
  else solves.forEach((solve, place) => found.add(`${name}, solve ${place + 1}`, () => solveOfCsTimer(solve, kind)));
}

/** Reads `[[penalty, ms], scramble, comment, unix seconds]`; a penalty of -1 is a DNF, other penalties are added. */
function solveOfCsTimer(solve, kind) {
  if (!Array.isArray(solve) || !Array.isArray(solve[0])) throw new Error('This is not [[penalty, time], scramble, comment, date].');
  const [[penalty, ms], scramble = '', comment = '', seconds = 0] = solve;
  if (!Number.isInteger(penalty) || penalty < -1) throw new Error(`“${penalty}” is not a penalty.`);
  return { kind, date: Number.isFinite(seconds) ? Math.round(seconds * 1000) : NaN, ms: ms + Math.max(0, penalty), dnf: penalty === -1, scramble, comment };
}

/** Reads replay links of slidysim, one on each line. They have no date. Slidysim itself stores its solves in a database. */
async function readLinks(text, found) {
  for (const [place, line] of text.split('\n').entries()) {
    const r = line.trim() && replayIn(line);
    if (!line.trim()) continue;
    const solve = r ? await solveOfLink(r).catch((error) => error) : new Error('This is not a replay link.');
    found.add(`Line ${place + 1}`, () => {
      if (solve instanceof Error) throw solve;
      return solve;
    });
  }
}

async function solveOfLink(r) {
  const { board, moves, times: waits } = await readReplay(r);
  if (!waits) throw new Error('This replay has no times.');
  if (!isSolved(walk(board, moves), goalOf('', board))) throw new Error('The moves of this replay do not solve its board.');
  let elapsed = 0;
  const times = waits.map((wait) => Math.round((elapsed += wait)));
  const kind = kindOf({ sizes: [board] });
  return { kind, date: 0, ms: times.at(-1) ?? 0, length: moves.length, moves, times, board: formatBoard(board) };
}
