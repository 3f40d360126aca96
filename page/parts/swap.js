// The exchange of two tiles on a board.
import { calmMotion } from './dom.js';

/** Shows the board `next` of a BoardView, on which two tiles are exchanged. They move along arcs for `ms` milliseconds. */
export function showSwap(view, next, [a, b], ms) {
  const [from, to] = [a, b].map((tile) => view.byTile.get(tile).element);
  view.show(next, view.goal, { ms: 0, marks: { swap: [a, b] } });
  if (calmMotion()) return;
  const [first, second] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const arc = (element, dx, dy, bend) => element.animate([
    { translate: `${dx}px ${dy}px`, zIndex: 2 },
    { translate: `${dx / 2 + dy * bend}px ${dy / 2 - dx * bend}px`, zIndex: 2 },
    { translate: '0 0', zIndex: 2 },
  ], { duration: ms, easing: 'ease-in-out' });
  const [dx, dy] = [second.left - first.left, second.top - first.top];
  arc(from, dx, dy, 0.45);
  arc(to, -dx, -dy, 0.45);
}
