// Replay links of slidysim: percent-encoded base64 of zlib-compressed JSON.
import { formatBoard, walk } from './board.js';
import { goalOf } from './goals.js';
import { inverse, writeMoves } from './moves.js';
import { parseMoves } from './read_moves.js';
import { parseBoard } from './parse.js';

const SITE = 'https://slidysim.github.io/replay?r=';
const RECORD_ITEMS = 10;
const MOST_BYTES = 4_000_000;

/** Returns the `r` of a link, or null. */
export function replayIn(text) {
  const [, data = null] = /[?&]r=([^&#\s]+)/.exec(text) ?? [];
  try {
    return data && decodeURIComponent(data);
  } catch {
    // A damaged escape: what follows reports that this is not a replay.
    return data;
  }
}

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > MOST_BYTES) throw new Error('This replay is too large.');
    parts.push(value);
  }
}

const inflate = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return (await through(bytes, new DecompressionStream('deflate'))).text();
};

/** Decodes a replay: {board, moves, times}. `times` are the milliseconds before each move, or null. */
export async function readReplay(r) {
  let items;
  try {
    items = JSON.parse(await inflate(r));
  } catch {
    throw new Error('This is not a replay link: the part after r= cannot be read.');
  }
  if (items.length < RECORD_ITEMS) {
    const [solution, rate, scramble, times] = items;
    return replay(solution, scramble && parseBoard(scramble).board, times, rate / 1000);
  }
  const [, solveData, , , width, height] = items;
  const [solutions] = (await inflate(solveData)).split(';');
  return replay(solutions.replace(/[[\]"]/g, '').split(',')[0], boardBefore(solutions, { width, height }), null, items[3] / 1000);
}

function replay(solution, scramble, times, rate) {
  const board = scramble ?? boardBefore(solution);
  const moves = parseMoves(board, solution);
  return { board, moves, times: timesOf(times, rate, moves.length) };
}

/** Returns the board that a solution brings to the goal. Without a size, the smallest possible one is assumed. */
export function boardBefore(solution, size = sizeBehind(solution)) {
  const moves = parseMoves(vast, solution);
  const board = walk(goalOf(null, size), inverse(moves));
  if (!board) throw new Error(`These moves do not end at the goal of a board of ${size.width} × ${size.height}.`);
  return board;
}

/** A board large enough for the moves of any solution. */
const vast = { width: 63, height: 63, cells: Array.from({ length: 63 * 63 }, (_, cell) => (cell === 31 * 63 + 31 ? 0 : cell + 1)) };

/** Returns the smallest size on which the moves are possible if they end in the last cell. */
export function sizeBehind(solution) {
  const moves = inverse(parseMoves(vast, solution));
  let [x, y, left, up] = [0, 0, 0, 0];
  for (const letter of moves) {
    x += { l: -1, r: 1 }[letter] ?? 0;
    y += { u: -1, d: 1 }[letter] ?? 0;
    [left, up] = [Math.min(left, x), Math.min(up, y)];
  }
  return { width: Math.max(2, 1 - left), height: Math.max(2, 1 - up) };
}

function timesOf(times, rate, count) {
  const list = Array.isArray(times) ? times.map(Number) : null;
  if (list?.length > 1 && list.every((time, move) => !move || time >= list[move - 1])) return list.map((time, move) => time - (list[move - 1] ?? 0));
  return rate > 0 ? new Array(count).fill(1000 / rate) : null;
}

/**
 * Returns the move that playback has reached at the time `now`, and when the next one is due: {at, due}. `at` of `count`
 * moves have been played, the next was due at `due`, and `wait(move)` is the delay before a move.
 */
export function movesDue(now, { at, due, count }, wait) {
  let [move, next] = [at, due];
  while (move < count && next <= now) {
    move += 1;
    next += wait(move);
  }
  return { at: move, due: next };
}

/** Encodes the part of a replay link after `r=`. `times` are the times of the moves in milliseconds; -1 replaces missing times. */
export async function replayData(board, moves, { rate = 5, times = null } = {}) {
  const items = [writeMoves(board, moves, 'tile', true), Math.round(rate * 1000), formatBoard(board), times ?? -1];
  const zipped = await through(new TextEncoder().encode(JSON.stringify(items)), new CompressionStream('deflate'));
  const bytes = new Uint8Array(await zipped.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Returns a link that slidysim plays. */
export const replayLink = async (board, moves, replay) => SITE + encodeURIComponent(await replayData(board, moves, replay));

/** Returns the board in an address of slidysim's solver slot, as its text; null if there is none. */
export const slotIn = (text) => /[?&]scramble=([^&#\s"'<>]+)/.exec(text)?.[1] ?? null;

/** Parses the board in an address of slidysim, `5_3_8_…`, where the same sign separates rows and tiles. */
export const boardOfSlot = (text) => parseBoard(text.replaceAll('_', ' '));
