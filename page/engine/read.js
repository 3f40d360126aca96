// Reads boards in all forms that the engine knows.
import { sizeText } from '../puzzle/board.js';
import { parseBoard } from '../puzzle/parse.js';

/**
 * Reads a board: {board, notes}, where `notes` are the assumptions that were made. Common forms are parsed here, all
 * others by the engine; `size` is used if the text does not determine the size. `options` are those of a call. Throws an
 * Error that describes what is wrong with the text, or why the engine did not answer.
 */
export async function readBoard(engine, given, size = null, options = {}) {
  const text = given.replace(/[“”„«»]/g, '"');
  const { board, faults } = parseBoard(text, size);
  if (board) return { board, notes: [] };
  // With events, a server reports unreadable text in a successful answer; browsers would log any other status.
  const convert = async (more) => (await engine).call('convert', { text, to: 'slashes', ...more }, { onEvent() {}, ...options });
  const isAboutText = (error) => ['text', 'board', 'size'].includes(error.field);
  try {
    const { text: slashes, notes = [] } = await convert({})
      .catch((error) => (size && isAboutText(error) ? convert({ size: sizeText(size) }) : Promise.reject(error)));
    const read = parseBoard(slashes, size);
    if (read.board) return { board: read.board, notes };
  } catch (error) {
    if (!isAboutText(error)) throw error;
  }
  throw new Error(faults.map((fault) => fault.text).join(' '));
}
