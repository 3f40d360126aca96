// Solver slot of slidysim: the site opens the page, often in a hidden frame, with `?scramble=5_3_8_…` and sends it the
// message "GetContent". The answer is an array with one string: the moves of a shortest solution, one letter per tile
// move; "-1" if the board is unsolvable; an empty line if more time is needed.
import { formatBoard, sizeText } from './puzzle/board.js';
import { goalOf } from './puzzle/goals.js';
import { formatLink } from './puzzle/link.js';
import { toTileLetters } from './puzzle/moves.js';
import { boardOfSlot } from './puzzle/replay.js';
import { explain } from './puzzle/solvable.js';

const SOLVE_MS = 60_000;

/** Solves a board: at once in a frame, otherwise on request. Returns {board, answer}; `answer` answers a message. */
function openSlot(text, engine) {
  const { board } = boardOfSlot(text);
  let lines = null;
  const solved = () => (lines ??= solve(board, engine).catch(() => ['\n']));
  const answer = async ({ source, origin }) => source.postMessage(await solved(), origin === 'null' ? '*' : origin);
  if (window.top !== window) solved();
  return { board, answer };
}

async function solve(board, engine) {
  if (!board || !explain(board, goalOf(null, board)).solvable) return ['-1'];
  const request = { board: formatBoard(board), size: sizeText(board), max_ms: SOLVE_MS };
  const { status, optimal, moves } = await (await engine).call('solve', request);
  return status === 'solved' && optimal ? [toTileLetters(moves)] : ['\n'];
}

/** Opens an address made by another site. Returns the slot, for which it starts the engine, or null for a replay. */
export function openForeign(engine, startEngine) {
  const query = new URLSearchParams(location.search);
  const isSlot = query.has('scramble');
  if (isSlot) startEngine();
  const slot = isSlot ? openSlot(query.get('scramble'), engine) : null;
  const board = slot && (slot.board ? formatBoard(slot.board) : query.get('scramble'));
  if (!location.hash) history.replaceState(null, '', formatLink('watch', slot ? { board } : { r: query.get('r') }));
  return slot;
}
