// Fields with labels, check boxes, and files to save.
import { h, newId } from './dom.js';

/** Puts a label above a control. */
export function labelled(label, element) {
  element.id ||= newId('field');
  return h('div', { class: 'field' }, h('label', { for: element.id }, label), element);
}

/** Creates a choice between many options. */
export function select(label, options, value, onchange) {
  const element = h('select', { onchange: () => onchange(element.value) },
    options.map(([option, text]) => h('option', { value: option, selected: option === value }, text)));
  return labelled(label, element);
}

/** Creates a text field. */
export const field = (label, props) => labelled(label, h('input', { spellcheck: 'false', autocomplete: 'off', ...props }));

export const check = (label, checked, onchange) =>
  h('label', { class: 'check' }, h('input', { type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked) }), label);

/** Downloads a text as a file. */
export function download(name, text, type = 'application/json') {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
