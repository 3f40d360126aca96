// The notice about a board that cannot reach its goal, the same in all views.
import { exchange, formatBoard } from '../puzzle/board.js';
import { formatLink } from '../puzzle/link.js';
import { explain, solvableGoals } from '../puzzle/solvable.js';
import { button, note } from './controls.js';
import { h } from './dom.js';

/**
 * Creates the notice, with the exchange that makes the board solvable and the goals that it can reach; returns null if
 * it can be solved. `onBoard` is called with another board, `onGoal` with the name of another goal.
 */
export function unsolvableNote(board, goal, goalText, { onBoard, onGoal }) {
  const { solvable, mend } = explain(board, goal);
  if (solvable) return null;
  return h('div', { class: 'stack' }, note('warn', 'This board cannot be solved.', 'Half of all boards cannot.'),
    h('div', { class: 'row' }, button(`Swap ${mend[0]} and ${mend[1]}`, () => onBoard(exchange(board, ...mend))),
      h('a', { class: 'btn plain', href: formatLink('enter', { board: formatBoard(board), goal: goalText }) }, 'Show why')),
    goalChoice(board, goal, onGoal));
}

/** Creates buttons for the goals that the board can reach; null if there are none. */
export function goalChoice(board, goal, onGoal) {
  const goals = solvableGoals(board, goal);
  if (goals.length === 0) return null;
  return h('div', { class: 'row' }, h('span', { class: 'small muted' }, 'It can reach another goal:'),
    goals.map(([name, label]) => button(label, () => onGoal(name), 'plain')));
}
