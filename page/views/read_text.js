// Reads any text that describes a board: links of Loyd and of slidysim, and boards in all forms that the engine knows.
import { readBoard } from '../engine/read.js';
import { formatBoard, parseSize, sizeText, walk } from '../puzzle/board.js';
import { parseSet } from '../puzzle/board_set.js';
import { goalOf } from '../puzzle/goals.js';
import { linkIn } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';
import { boardBefore, boardOfSlot, readReplay, replayIn, slotIn } from '../puzzle/replay.js';
import { readGameLink, scrambleRequest } from './game_link.js';

const MAX_LENGTH = 100_000;
/** Views that show sets of boards. */
const HAS_SETS = new Set(['play', 'watch']);

/** Returns whether a text has a link that `readText` reads as such. */
export const hasLink = (text) => Boolean(linkIn(text) || replayIn(text) || slotIn(text));

/**
 * Reads a text: {board, notes, goalText, link}. `goalText` is null if the text has no goal; `link` is the link in the
 * text as {view, params}, or null. `size` is used if the text does not determine the size, `options` for calls of the
 * engine. Throws an Error that describes what is wrong with the text.
 */
export async function readText(engine, text, size = null, options = {}) {
  if (text.length > MAX_LENGTH) throw new Error(`The text has ${text.length.toLocaleString('en')} characters; at most ${MAX_LENGTH.toLocaleString('en')} are read.`);
  const link = linkIn(text);
  if (link && !link.params.r) return { notes: [], ...(await readLink(engine, link, options)), link };
  const replay = replayIn(text);
  if (replay) return { board: (await readReplay(replay)).board, notes: [], goalText: link?.params.goal ?? null, link: { view: 'watch', params: { ...link?.params, r: replay } } };
  const slot = slotIn(text);
  if (!slot) return { ...(await readBoard(engine, text, size, options)), goalText: null, link: null };
  const { board, faults } = boardOfSlot(slot);
  if (!board) throw new Error(faults.map((fault) => fault.text).join(' '));
  return { board, notes: [], goalText: null, link: null };
}

/** Reads a link: the board on display when it was copied. */
async function readLink(engine, link, options) {
  const { view, params } = withBoard(link);
  if (view === 'play') return readGame(engine, params, options);
  const { board: text, moves, size, goal: goalText = '' } = params;
  if (!text && !moves) throw new Error('This link has no board.');
  const read = text ? await readBoard(engine, text, parseSize(size), options) : { board: boardBefore(moves, parseSize(size) ?? undefined) };
  if (!goalOf(goalText, read.board)) throw new Error(`“${goalText}” is not a goal for ${sizeText(read.board)}.`);
  return { ...read, goalText };
}

/** Returns a link with the board that it shows of its set, if it has one. */
function withBoard({ view, params }) {
  const { set, number, ...rest } = params;
  if (set === undefined || params.board || params.seed || params.r) return { view, params };
  const { texts, number: place, faults } = parseSet(set, number);
  if (faults.length) throw new Error(faults.join(' '));
  return { view, params: { ...rest, board: texts[place - 1] } };
}

async function readGame(engine, params, options) {
  const { moves = '' } = params;
  const { board: given, setup } = await readGameLink(params, engine, options);
  const board = walk(given ?? await drawn(engine, setup, options), moves);
  if (!board) throw new Error('The moves in this link do not fit its board.');
  return { board, goalText: setup.goalText };
}

async function drawn(engine, setup, options) {
  if (!setup.seed) throw new Error('This link has no board.');
  const { boards } = await (await engine).call('scramble', scrambleRequest(setup), { onEvent() {}, ...options });
  return parseBoard(boards[0].board, setup.size).board;
}

/** Returns the parameters of a link that shows what `readText` has found in a view, with the view's own choices in `kept`. */
export function paramsFor(view, { board, goalText, link }, kept = {}) {
  if (link?.view === view) return link.params;
  // Another view shows the same set.
  const { set, number } = HAS_SETS.has(view) ? link?.params ?? {} : {};
  const goal = goalText ?? (kept.goal && goalOf(kept.goal, board) ? kept.goal : '');
  const isSquare = board.width === board.height;
  const { board: start, size, moves } = link?.params ?? {};
  // Watch plays the moves of a game from its start.
  if (view === 'watch' && link?.view === 'play' && start && moves) return { ...kept, set, number, board: start, size, goal, moves };
  if (set && !start) return { ...kept, set, number, goal };
  return { ...kept, set, number, board: formatBoard(board), size: isSquare ? null : sizeText(board), goal };
}
