// Hints during a game of Play, and reviews after it.
import { note } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { plural } from '../parts/numbers.js';
import { blankOf, formatBoard, neighbour } from '../puzzle/board.js';
import { tileWord } from '../puzzle/moves.js';

const HINT_MS = 5000;

/** Returns the goal for a request, written out, because the engine does not know all names that the page has. */
const goalForEngine = ({ setup, game }) => (setup.goalText ? { goal: formatBoard(game.goal) } : {});

/** Shows the next move of a game. The game does not count from then on. */
export async function showHint(play) {
  const { board } = play.game;
  fill(play.message, note('info', 'Looking for the next move…'));
  play.uncounted = 'hint';
  play.hinting?.abort();
  const { signal } = (play.hinting = new AbortController());
  const show = (moves, rest) => {
    if (signal.aborted || !moves) return;
    const tile = board.cells[neighbour(board, blankOf(board), moves[0])];
    fill(play.message, note('info', `Move ${tile} ${tileWord(moves[0])}.`, rest));
    play.refresh(0, { hint: tile, moved: null, arrow: moves[0] });
  };
  const onEvent = (event, { moves }) => {
    if (event === 'incumbent') show(moves, `${plural(moves.length, 'move')} to go so far. Looking for fewer…`);
  };
  const answer = await play.ask('hint', { board: formatBoard(board), max_ms: HINT_MS, ...goalForEngine(play) }, { onEvent, signal });
  if (!answer) return undefined;
  const moves = answer.best[0] ?? answer.moves ?? '';
  if (!moves) return fill(play.message, note('warn', 'No hint was found in time.', 'Your board is safe.'));
  return show(moves, answer.optimal ? `${plural(answer.length, 'move')} to go from here.` : `The best known solution has ${plural(answer.length, 'move')}; at least ${answer.lower_bound} are needed.`);
}

/** Shows where moves were lost in a solved game. Returns the length of a shortest solution; null if it is unknown. */
export async function lookBack(play, { game, setup }) {
  const { review } = play;
  const { start, moves } = game;
  review.hidden = false;
  fill(review, h('p', { class: 'muted small' }, 'Looking for lost moves…'));
  const answer = await play.ask('review', { board: formatBoard(start), moves, ...goalForEngine({ game, setup }) }, { place: review });
  if (!answer) return null;
  const part = await play.part(() => import('../parts/review.js'));
  if (part && play.game === game) {
    fill(review, part.reviewPanel(answer.reviews, { start, goalText: setup.goalText, moves }));
    announce(review.querySelector('.big').innerText.replace('\n', ' '));
  }
  return answer.reviews[0].shortest;
}
