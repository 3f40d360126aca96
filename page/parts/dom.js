// DOM helpers. `h('button', {class: 'btn', onclick}, 'Text')`; strings and numbers become text, null is left out.

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'g', 'path', 'rect', 'line', 'polyline', 'polygon', 'text', 'circle', 'title']);

export function h(tag, props = {}, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  set(element, props);
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets attributes; functions become listeners, true an empty attribute, false and null remove the attribute. */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : value);
  }
  return element;
}

/** Changes the text of an element that contains nothing else, if it differs. */
export function setText(element, text) {
  if (!element.firstChild) element.append(text);
  else if (element.firstChild.data !== text) element.firstChild.data = text;
}

const FOCUSABLE = 'a, button, input, select, textarea, summary';

/** Replaces the children. The focus stays on the control at the same position if it has the same tag. */
export function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const place = focused ? [...element.querySelectorAll(FOCUSABLE)].indexOf(focused) : -1;
  element.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  const next = place < 0 ? null : element.querySelectorAll(FOCUSABLE)[place];
  if (next?.tagName === focused?.tagName) next?.focus({ preventScroll: true });
  return element;
}

let lastId = 0;
export const newId = (name) => `${name}-${(lastId += 1)}`;

/** Announces a result to screen readers. */
export function announce(text) {
  document.getElementById('live').textContent = text;
}

let calm = null;
export const calmMotion = () => (calm ??= matchMedia('(prefers-reduced-motion: reduce)')).matches;
