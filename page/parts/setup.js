// Fields for the size and the goal.
import { LARGEST, SMALLEST, formatBoard } from '../puzzle/board.js';
import { GOALS, goalOf } from '../puzzle/goals.js';
import { field, select } from './controls.js';
import { h } from './dom.js';

const sides = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, place) => String(place + SMALLEST)).map((side) => [side, side]);

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
