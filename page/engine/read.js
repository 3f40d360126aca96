// Reads boards in all forms that the engine knows.
import { sizeText } from '../puzzle/board.js';
import { parseBoard } from '../puzzle/parse.js';

/**
 * Reads a board: {board, notes}, where `notes` are the assumptions that were made. Common forms are parsed here, all
 * others by the engine; `size` is used if the text does not determine the size. Throws an Error that says what is wrong.
 */
export async function readBoard(engine, text, size = null, signal = undefined) {
  const { board, faults } = parseBoard(text, size);
  if (board) return { board, notes: [] };
  const convert = async (more) => (await engine).call('convert', { text, to: 'slashes', ...more }, { signal });
  let answer;
  try {
    answer = await convert({}).catch((error) => (size ? convert({ size: sizeText(size) }) : Promise.reject(error)));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error(faults.map((fault) => fault.text).join(' '));
  }
  const read = parseBoard(answer.text, size).board;
  if (!read) throw new Error(faults.map((fault) => fault.text).join(' '));
  return { board: read, notes: answer.notes ?? [] };
}
