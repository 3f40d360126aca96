// The elements of Play and what they do. The view itself is in play.js.
import { BoardView } from '../parts/board.js';
import { button, iconButton, note, segments } from '../parts/controls.js';
import { Chips } from '../parts/chips.js';
import { ClockFace } from '../parts/clock_face.js';
import { fill, h } from '../parts/dom.js';
import { formatBoard, parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';

const USUAL_SIZES = ['3x3', '4x4', '5x5'];

/** Creates the elements of a Play view and adds them to `root`. */
export function buildFrame(play, root) {
  play.view = new BoardView({ onMove: (letters) => play.play(letters) });
  Object.assign(play.view, { hover: play.settings.hover, colours: play.settings.colours });
  play.face = new ClockFace();
  play.best = h('p', { class: 'best small muted' });
  play.undo = iconButton('undo', 'Undo', () => play.step('undo'));
  play.redo = iconButton('redo', 'Redo', () => play.step('redo'));
  play.message = h('div', { class: 'message', role: 'status' });
  play.chips = new Chips('Your moves', (moves) => play.backTo(moves));
  play.empty = h('p', { class: 'small muted' }, 'Slide the tiles into order. Your first move starts the clock.');
  play.review = h('section', { class: 'review panel', 'aria-label': 'Review', hidden: true });
  play.session = h('details', { class: 'session panel', ontoggle: () => play.train((trainer) => trainer.toggled()) }, h('summary', {}, 'Times and averages'));
  play.controls = h('div', { class: 'row controls' });
  play.goalLine = h('div', {});
  play.sizes = h('select', { 'aria-label': 'Board size', onchange: () => chooseSize(play) });
  const head = root.closest('.view').querySelector('.view-head');
  // The next board of a set has a picker of its own.
  head.querySelector('.field')?.remove();
  head.querySelector('h1').after(h('div', { class: 'field' }, play.sizes));
  const acts = h('div', { class: 'acts stack' }, play.goalLine,
    h('div', { class: 'row' }, button('Scramble', () => play.scramble(), 'primary'), button('Hint', () => play.hint()), play.undo, play.redo),
    play.message,
    h('div', { class: 'row flush' }, button('Solve from here', () => play.context.go('watch', { board: formatBoard(play.game.board), goal: play.setup.goalText }), 'plain'), button('Start again', () => play.startAgain(), 'plain'), play.controls),
    setupFields(play), h('details', { class: 'settings', ontoggle: ({ target }) => play.train((trainer) => trainer.showSettings(target)) }, h('summary', {}, 'Settings and modes')));
  const moves = h('div', { class: 'moves stack' },
    h('div', { class: 'row spread' }, h('h2', {}, 'Your moves'),
      segments('Letters', [['tile', 'Tile'], ['blank', 'Blank']], 'tile', (letters) => { play.letters = letters; play.refresh(); })),
    play.empty, play.chips.element, play.best);
  root.append(h('div', { class: 'play' }, play.face.element, play.view.element, acts, moves, h('div', { class: 'side stack' }, play.session, play.review)));
}

/** Shows the size of the board among the usual ones. */
export function showSize(play, size) {
  const options = [...new Set([...USUAL_SIZES, size])].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  fill(play.sizes, options.map((text) => h('option', { value: text }, text.replace('x', ' × '))), h('option', { value: '' }, 'Other…'));
  play.sizes.value = size;
}

/** Draws a board of the chosen size, or opens the fields for any size. */
async function chooseSize(play) {
  const size = parseSize(play.sizes.value);
  if (size) return play.onSetup.change({ size, goalText: goalOf(play.wanted.goalText, size) ? play.wanted.goalText : '' });
  showSize(play, sizeText(play.setup.size));
  play.details.open = true;
  await play.drawFields();
  return play.details.querySelector('select')?.focus();
}

/** Creates the fields of the next scramble. They are drawn when the reader opens them. */
function setupFields(play) {
  const fields = h('div', { class: 'fields' });
  play.onSetup = {
    change: (change) => { Object.assign(play.wanted, change); play.scramble(); },
    seed: (seed) => play.scramble(seed || undefined),
    fault: (text) => fill(play.message, note('bad', text, 'Write a whole number.')),
  };
  play.details = h('details', { ontoggle: () => play.drawFields() }, h('summary', {}, 'Size, goal and scramble'), fields);
  play.drawFields = async () => {
    const setup = play.details.open && await play.part(() => import('../parts/setup.js'));
    if (setup) fill(fields, setup.scrambleFields(play.wanted, play.onSetup));
  };
  return play.details;
}
