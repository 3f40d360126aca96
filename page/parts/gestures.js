// Mouse and touch on a playable board: click, drag, swipe, and optionally hover.
import { blankOf, neighbour, slideTo } from '../puzzle/board.js';
import { OPPOSITE } from '../puzzle/moves.js';

const CLICK_PX = 6;
const SWIPE_PX = 22;

/**
 * Adds listeners to a BoardView. If `view.hover` is true, tiles move when the pointer passes over them, unless
 * `view.isFrozen` is true or Control is held.
 */
export function followPointer(view) {
  let held = null;
  view.board.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    held = hold(view, event);
    view.board.setPointerCapture(event.pointerId);
  });
  view.board.addEventListener('pointermove', (event) => {
    if (held && event.pointerId === held.pointer) drag(held, event);
    else if (view.hover && !view.isFrozen && !event.ctrlKey && event.pointerType === 'mouse') view.slide(view.cellOf(event.target));
  });
  const end = (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { tiles } = held;
    tiles.forEach(({ element }) => { element.style.translate = ''; element.classList.remove('dragged'); });
    if (event.type === 'pointerup') release(view, held, event);
    held = null;
  };
  for (const name of ['pointerup', 'pointercancel']) view.board.addEventListener(name, end);
}

/** Returns the cell under the pointer and the tiles that would slide with it. */
function hold(view, event) {
  const cell = view.cellOf(event.target);
  const letters = cell < 0 ? '' : slideTo(view.state, cell);
  const tiles = [];
  for (let at = blankOf(view.state), step = 0; step < letters.length; step += 1) {
    at = neighbour(view.state, at, letters[0]);
    tiles.push(view.at(at));
  }
  const side = tiles[0]?.element.offsetWidth ?? 0;
  return { pointer: event.pointerId, cell, letters, tiles, side, x: event.clientX, y: event.clientY };
}

/** Direction [x, y] of the tiles for each move: the opposite of the blank's. */
const DIRECTIONS = { u: [0, 1], d: [0, -1], l: [1, 0], r: [-1, 0] };

function along(held, event) {
  const [x, y] = DIRECTIONS[held.letters[0]];
  const moved = (event.clientX - held.x) * x + (event.clientY - held.y) * y;
  return Math.max(0, Math.min(moved, held.side));
}

function drag(held, event) {
  if (!held.letters) return;
  const [x, y] = DIRECTIONS[held.letters[0]];
  const moved = along(held, event);
  held.tiles.forEach(({ element }) => {
    element.classList.add('dragged');
    element.style.translate = `${x * moved}px ${y * moved}px`;
  });
}

function release(view, held, event) {
  const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
  const far = Math.hypot(dx, dy);
  if (far < CLICK_PX) return held.letters && view.onMove(held.letters);
  if (held.letters && along(held, event) > held.side * 0.3) return view.onMove(held.letters);
  if (event.pointerType === 'mouse' || far < SWIPE_PX) return undefined;
  const swiped = Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? 'l' : 'r') : dy < 0 ? 'u' : 'd';
  const blankGoes = OPPOSITE[swiped];
  return neighbour(view.state, blankOf(view.state), blankGoes) < 0 ? undefined : view.onMove(blankGoes);
}
