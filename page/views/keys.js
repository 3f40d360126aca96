// Keys of Play: arrows and letters move tiles, Control+Z and Control+Y step through the moves, and the keys of
// speed-solvers: Space scrambles, Escape goes back to the start, F freezes the board, P pauses.
import { movesOfKey } from '../parts/board.js';

const COMMANDS = {
  Space: (play) => play.scramble(),
  Escape: (play) => play.startAgain(),
  KeyF: (play) => play.trainer?.freeze(),
  KeyP: (play) => play.train((trainer) => trainer.pause()),
};

const CONTROLS = 'button:not(.tile), a, summary';

/** Listens to the keys of the page until the signal aborts. */
export function listenToKeys(play, signal) {
  addEventListener('keydown', (event) => press(play, event), { signal });
  // A control that was clicked keeps the focus, but its reader does not use the keyboard to press it.
  addEventListener('click', ({ detail, target }) => { play.clicked = detail > 0 && target.closest?.(CONTROLS); }, { signal });
  addEventListener('focusin', () => { play.clicked = null; }, { signal });
  // Firefox presses a focused tile when Space is released.
  addEventListener('keyup', (event) => { if (event.code === 'Space' && event.target.closest?.('.tile')) event.preventDefault(); }, { signal });
}

function press(play, event) {
  if (event.defaultPrevented || event.target.closest?.('input, select, textarea, .seg')) return;
  const letter = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
  const moves = movesOfKey(event, play.game.board);
  if (letter === 'z' || letter === 'y') step(play, letter === 'y' || event.shiftKey ? 'redo' : 'undo');
  else if (moves) play.play(moves);
  else if (moves === undefined && !command(play, event)) return;
  event.preventDefault();
}

/** Undoes or repeats a move. After the end of a game, undo starts the same board again. */
function step(play, direction) {
  if (direction === 'undo' && play.isOver) play.startAgain();
  else play.step(direction);
}

/** Runs the command of a key. Returns false if there is none. */
function command(play, event) {
  const run = Object.hasOwn(COMMANDS, event.code) && COMMANDS[event.code];
  const control = event.code === 'Space' && event.target.closest?.(CONTROLS);
  const isElsewhere = control && control !== play.clicked;
  if (!run || isElsewhere || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (!event.repeat) run(play);
  return true;
}
