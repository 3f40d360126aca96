// Kinds of solves. Solves are compared within a kind: the mode, the sizes and the goal, as in `4x4 blank-last`,
// `relay 2x2+3x3 blank-last`, `marathon 5 4x4 snake` or `blindfold 3x3 blank-last`.
import { formatBoard, parseSize, sizeText } from './board.js';
import { GOALS, goalOf } from './goals.js';

const FORM = /^(?:(relay|blindfold|marathon (\d{1,3})) )?(\d+x\d+(?:\+\d+x\d+)*) (.+)$/;
export const MOST_STAGES = 100;

/** Returns the kind of a mode, a list of sizes and a goal. A marathon has the same size several times. */
export function kindOf({ mode = 'single', sizes, goalText = '' }) {
  const goal = goalName(goalText, sizes[0]);
  if (mode === 'relay') return `relay ${sizes.map(sizeText).join('+')} ${goal}`;
  const prefix = { marathon: `marathon ${sizes.length} `, blindfold: 'blindfold ' }[mode] ?? '';
  return `${prefix}${sizeText(sizes[0])} ${goal}`;
}

/** Returns the name of a goal; of a written board, that of the named goal that it is, if there is one. */
function goalName(goalText, size) {
  if (!goalText) return 'blank-last';
  const goal = goalOf(goalText, size);
  if (!goal || GOALS.some(([name]) => name === goalText)) return goalText;
  const isGoal = ([name]) => goalOf(name, size)?.cells.every((tile, cell) => tile === goal.cells[cell]);
  return GOALS.find(isGoal)?.[0] ?? formatBoard(goal);
}

/** Parses a kind into {mode, sizes, goalText}; returns null if that fails. */
export function parseKind(text) {
  const [, word, count, list, goal] = FORM.exec(text) ?? [];
  if (!list) return null;
  const mode = word?.split(' ')[0] ?? 'single';
  const named = list.split('+').map(parseSize);
  const sizes = mode === 'marathon' ? new Array(Number(count)).fill(named[0]) : named;
  const fits = sizes.length > 0 && sizes.length <= MOST_STAGES && (mode === 'relay' || named.length === 1);
  const goalText = goal === 'blank-last' ? '' : goal;
  return fits && named.every((size) => size && goalOf(goalText, size)) ? { mode, sizes, goalText } : null;
}

const sizeName = (size) => sizeText(size).replace('x', ' × ');

/** Returns the name of a kind for readers. */
export function kindTitle({ mode, sizes, goalText }) {
  const goal = goalText ? `, ${(GOALS.find(([name]) => name === goalText)?.[1] ?? `goal ${goalText}`).toLowerCase()}` : '';
  const [first, last] = [sizeName(sizes[0]), sizeName(sizes.at(-1))];
  const what = { relay: `relay of ${sizes.length}, ${first} to ${last}`, marathon: `marathon of ${sizes.length}, ${first}`, blindfold: `blindfold, ${first}` }[mode] ?? first;
  return what + goal;
}
