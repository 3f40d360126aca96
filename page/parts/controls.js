// Buttons, choices and notes.
import { h, newId, set, setText } from './dom.js';

const ICONS = {
  undo: 'M8 13 4 9l4-4M4 9h10a5.5 5.5 0 0 1 0 11h-4',
  redo: 'M16 13l4-4-4-4M20 9H10a5.5 5.5 0 0 0 0 11h4',
  first: 'M18 6l-8 6 8 6zM7 6v12',
  back: 'M15 6l-8 6 8 6z',
  on: 'M9 6l8 6-8 6z',
  last: 'M6 6l8 6-8 6zM17 6v12',
  play: 'M8 5v14l11-7z',
  pause: 'M9 5v14M15 5v14',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  info: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3',
  warn: 'M12 8v5M12 16.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  left: 'M19 12H5M11 6l-6 6 6 6',
  right: 'M5 12h14M13 6l6 6-6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
};

export const icon = (name) => h('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: ICONS[name] }));

export const button = (text, onclick, kind = '', props = {}) =>
  h('button', { type: 'button', class: `btn ${kind}`.trim(), onclick, ...props }, text);

export const iconButton = (name, label, onclick, kind = '') =>
  h('button', { type: 'button', class: `btn icon ${kind}`.trim(), 'aria-label': label, onclick }, icon(name));

export function setIcon(element, name, label) {
  element.replaceChildren(icon(name));
  set(element, { 'aria-label': label });
}

/** Creates a choice between a few options, shown side by side. `options` are [value, text]. */
export function segments(legend, options, value, onchange) {
  const name = newId('choice');
  const choice = ([option, text]) => h('label', {},
    h('input', { type: 'radio', name, value: option, checked: option === value, onchange: () => onchange(option) }),
    h('span', {}, text));
  return h('fieldset', { class: 'segments' }, h('legend', { class: 'vh' }, legend), h('span', { class: 'seg' }, options.map(choice)));
}

/** Creates a message of kind good, warn, bad or info. `strong` is what happened, `rest` what to do. */
export function note(kind, strong, rest = '', props = {}) {
  const picture = { bad: 'warn' }[kind] ?? kind;
  return h('div', { class: `note ${kind}`, ...props }, icon(picture), h('p', {}, h('b', {}, strong), rest ? ' ' : null, rest));
}

export const faultNote = (fault) => note('bad', sentence(fault.message), fault.help ? sentence(fault.help) : '', { role: 'alert' });

/** Loads a part of the page. If that fails, passes a note to `show` and returns null. */
export async function loadPart(load, show) {
  try {
    return await load();
  } catch (error) {
    console.warn(error);
    show(note('bad', 'A part of the page could not be loaded.', 'Is the server running? Your game and your board are safe.', { role: 'alert' }));
    return null;
  }
}

/** Returns the texts for an event about waiting for the server: [what, more], or null. */
export function waiting(event, { place = null, seconds } = {}) {
  if (event === 'busy') return ['All workers are busy.', place ? `You are number ${place} in line.` : 'Your turn will come.'];
  return event === 'offline' ? ['The server does not answer.', `Your board is safe. Trying again in ${seconds} s.`] : null;
}

/** Turns a message of the engine into a sentence. */
export function sentence(text) {
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}

/** Creates a list of named numbers: [[name, value]]. `facts.update(values)` changes them. */
export function facts(rows) {
  const values = rows.map(([, value]) => h('dd', {}, value));
  const element = h('dl', { class: 'facts' }, rows.map(([name], row) => h('div', {}, h('dt', {}, name), values[row])));
  return { element, update: (texts) => texts.forEach((text, row) => setText(values[row], text)) };
}

/** Copies a text and shows that on the button for a while. */
export async function copyFrom(element, text) {
  const before = element.dataset.text ?? (element.dataset.text = element.textContent);
  let message = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    message = 'Copying is not allowed here';
  }
  element.textContent = message;
  setTimeout(() => { element.textContent = before; }, 1600);
}
