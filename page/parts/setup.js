// Fields for the size and the goal.
import { LARGEST, SMALLEST, formatBoard } from '../puzzle/board.js';
import { GOALS, goalOf } from '../puzzle/goals.js';
import { h } from './dom.js';
import { field, select } from './fields.js';

const sides = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, place) => String(place + SMALLEST)).map((side) => [side, side]);

/** Creates a line that names a goal other than the usual one; null for that. */
export function goalLine(goalText, goal) {
  if (!goalText) return null;
  const label = GOALS.find(([name]) => name === goalText)?.[1];
  return h('p', { class: 'goal small muted' }, 'Goal: ', label ?? h('span', { class: 'mono' }, formatBoard(goal)));
}

/** Creates fields for width and height. `onchange({width, height})`. */
export function sizeFields({ width, height }, onchange) {
  const size = { width, height };
  const side = (name) => (value) => { size[name] = Number(value); onchange({ ...size }); };
  return [select('Width', sides, String(width), side('width')), select('Height', sides, String(height), side('height'))];
}

/** Creates fields for the goal: a name, or the reader's own board with `*`. `onchange(name or text)`. */
export function goalFields(goal, size, onchange) {
  const isNamed = !goal || GOALS.some(([name]) => name === goal);
  const own = field('Goal board, * for any tile', {
    class: 'mono', value: isNamed ? formatBoard(goalOf(goal, size) ?? goalOf(null, size)) : goal,
    onchange: ({ target }) => {
      const fits = Boolean(goalOf(target.value, size));
      target.setAttribute('aria-invalid', String(!fits));
      if (fits) onchange(target.value.trim());
    },
  });
  own.hidden = isNamed;
  const choose = (value) => {
    own.hidden = value !== 'own';
    if (value !== 'own') onchange(value === 'blank-last' ? '' : value);
  };
  return [select('Goal', [...GOALS, ['own', 'Your own…']], isNamed ? goal || 'blank-last' : 'own', choose), h('div', { class: 'wide' }, own)];
}

/** Creates fields for the size, the goal, the length and the seed of a scramble. `on` has change(what), seed(text) and fault(text). */
export function scrambleFields({ size, goalText, length, seed }, on) {
  const typed = (name, then) => ({ target }) => {
    const text = target.value.trim();
    const isNumber = /^\d*$/.test(text);
    target.setAttribute('aria-invalid', String(!isNumber));
    if (isNumber) then(text);
    else on.fault(`“${text}” is not a ${name}.`);
  };
  return [
    sizeFields(size, (next) => on.change({ size: next, goalText: goalOf(goalText, next) ? goalText : '' })),
    goalFields(goalText, size, (next) => on.change({ goalText: next })),
    field('Moves from the goal', { inputmode: 'numeric', maxlength: 4, placeholder: 'any', value: length, onchange: typed('number of moves', (text) => on.change({ length: text })) }),
    field('Seed', { inputmode: 'numeric', maxlength: 15, value: seed, onchange: typed('seed', on.seed) }),
  ];
}
