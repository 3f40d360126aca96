// The fastest solves stored in the browser, each with its replay.
import { formatLink } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';
import { replayData, replayLink } from '../puzzle/replay.js';
import { button, copyFrom } from './controls.js';
import { h } from './dom.js';
import { clock, rate } from './numbers.js';

/** Creates a table of solves, the fastest first. Replays of slidysim have only the default goal, for which `goalText` is empty. */
export async function solvesTable(solves, goalText) {
  const rows = await Promise.all(solves.map((solve, place) => row(solve, place + 1, goalText)));
  const head = (text) => h('th', { scope: 'col', class: 'n' }, text);
  return h('table', { class: 'solves' }, h('caption', { class: 'vh' }, 'Your fastest solves'),
    h('thead', {}, h('tr', {}, h('td', {}), ['Time', 'Moves', 'Moves/s'].map(head), h('td', {}))), h('tbody', {}, rows));
}

async function row({ ms, board: text, moves, times }, place, goalText) {
  const { board } = parseBoard(text);
  const replay = { rate: (moves.length * 1000) / Math.max(ms, 1), times };
  const watch = h('a', { href: formatLink('watch', { r: await replayData(board, moves, replay), goal: goalText }), 'aria-label': `Watch solve ${place}` }, 'Watch');
  const copy = button('Copy link', async () => copyFrom(copy, await replayLink(board, moves, replay)), 'plain', { 'aria-label': `Copy link of solve ${place} for slidysim` });
  const number = (value) => h('td', { class: 'n' }, value);
  return h('tr', {}, h('th', { scope: 'row' }, place), number(h('b', {}, clock(ms))), number(moves.length), number(rate(moves.length, ms)),
    h('td', { class: 'n' }, watch, goalText ? null : copy));
}
