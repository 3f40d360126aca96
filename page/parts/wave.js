// A wave over the tiles of a solved board.
import { calmMotion } from './dom.js';

const [ALL_MS, TILE_MS] = [400, 180];

/** Lifts the tiles one after the other, from the first corner to the last. Does nothing under reduced motion. */
export function wave({ pieces, state: { width, height } }) {
  if (calmMotion()) return;
  for (const { element, cell } of pieces) {
    const part = ((cell % width) + Math.floor(cell / width)) / (width + height - 2);
    element.animate([{ translate: '0 0' }, { translate: '0 -16%' }, { translate: '0 0' }], { duration: TILE_MS, delay: part * (ALL_MS - TILE_MS), easing: 'ease-in-out' });
  }
}
