// Settings of Play: the mode, the input, the look of the tiles, and levels for beginners.
import { button, segments } from './controls.js';
import { MOST_STAGES } from '../puzzle/kind.js';
import { h } from './dom.js';
import { check, field, labelled, select } from './fields.js';

const MODES = [['single', 'Single'], ['relay', 'Relay'], ['marathon', 'Marathon'], ['blindfold', 'Blindfold']];
const ABOUT = {
  single: 'One board, one time.',
  relay: 'The boards of several sizes, one after the other, with one clock.',
  marathon: 'Several boards of the chosen size, one after the other, with one clock.',
  blindfold: 'The numbers are hidden after your first move. The time before it is recorded apart.',
};
const COLOURS = [['rows', 'By row'], ['fringe', 'By fringe'], ['plain', 'Plain']];
const PICTURES = [['none', 'None'], ['scene', 'House and cat'], ['own', 'Your own file…']];
/** Moves from the goal at each level; '' is a random board. */
export const LEVELS = ['5', '10', '15', '20', ''];

/** Creates the settings. `on` has set(change), relay(text) and marathon(text), which return whether the text is valid, picture(choice), file(file) and level(number). */
export function settingsFields(settings, on) {
  return h('div', { class: 'stack' }, modeFields(settings, on), inputFields(settings, on), lookFields(settings, on), levelFields(settings, on), keys());
}

function modeFields({ mode, relay, marathon, inspection }, on) {
  const checkedBy = (take) => ({ target }) => target.setAttribute('aria-invalid', String(!take(target.value)));
  return h('div', { class: 'stack' }, segments('Mode', MODES, mode, (chosen) => on.set({ mode: chosen })),
    h('p', { class: 'small muted' }, ABOUT[mode]),
    mode === 'relay' ? field('Sizes, 2 to 100 of them, such as 2x2 3x3 4x4', { value: relay, maxlength: 800, onchange: checkedBy(on.relay) }) : null,
    mode === 'marathon' ? field(`Number of boards, 2 to ${MOST_STAGES}`, { value: String(marathon), inputmode: 'numeric', maxlength: 3, onchange: checkedBy(on.marathon) }) : null,
    mode === 'blindfold' ? null : check('Inspect for 15 seconds before the clock starts', inspection, (isOn) => on.set({ inspection: isOn })));
}

const inputFields = ({ hover }, on) => check('Tiles move when the pointer passes over them', hover, (isOn) => on.set({ hover: isOn }));

function lookFields({ colours, picture }, on) {
  const file = labelled('Picture file, kept in this browser only', h('input', { type: 'file', accept: 'image/*', onchange: ({ target }) => target.files[0] && on.file(target.files[0]) }));
  file.hidden = picture !== 'own';
  return h('div', { class: 'stack' }, labelledSegments('Tile colours', COLOURS, colours, (chosen) => on.set({ colours: chosen })),
    select('Pictures on the tiles', PICTURES, picture, on.picture), file);
}

const labelledSegments = (label, ...rest) => h('div', { class: 'field' }, h('span', { 'aria-hidden': 'true' }, label), segments(label, ...rest));

function levelFields({ level }, on) {
  const one = (moves, place) => button(`Level ${place + 1}: ${moves ? `${moves} moves` : 'any board'}`, () => on.level(place + 1), '', { disabled: place >= level });
  return h('div', { class: 'stack' }, h('h3', {}, 'Levels'), h('p', { class: 'small muted' }, 'Boards of 3 × 3. Solve one without a hint to open the next level.'), h('div', { class: 'row' }, LEVELS.map(one)));
}

const keys = () => h('p', { class: 'small muted' }, 'Keys: Space scrambles, Escape goes back to the start, Control+Z starts a solved board again, P pauses. When tiles follow the pointer, F or holding Control freezes them.');
