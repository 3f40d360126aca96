// The solver slot of slidysim: the page is opened, often unseen in a frame, with `?scramble=5_3_8_…` and is sent the
// message "GetContent". It answers with lines: first the moves of a shortest solution, a letter each, where the tile
// goes; "-1" if there is none; an empty line if more time is needed.
import { formatBoard, sizeText } from './puzzle/board.js';
import { goalOf } from './puzzle/goals.js';
import { toTileLetters } from './puzzle/moves.js';
import { boardOfSlot } from './puzzle/replay.js';
import { explain } from './puzzle/solvable.js';

const SOLVE_MS = 60_000;

/** Listens for the message, and solves: at once in a frame, else when it is asked. Answers the board that was sent. */
export function openSlot(text, engine) {
  const { board } = boardOfSlot(text);
  let lines = null;
  const solved = () => (lines ??= solve(board, engine).catch(() => ['\n']));
  addEventListener('message', async ({ data, source, origin }) => {
    if (data === 'GetContent') source.postMessage(await solved(), origin === 'null' ? '*' : origin);
  });
  if (window.top !== window) solved();
  return board;
}

async function solve(board, engine) {
  if (!board || !explain(board, goalOf(null, board)).solvable) return ['-1'];
  const request = { board: formatBoard(board), size: sizeText(board), max_ms: SOLVE_MS };
  const { status, optimal, moves } = await (await engine).call('solve', request);
  return status === 'solved' && optimal ? [toTileLetters(moves)] : ['\n'];
}
