// Colours of the page for canvases and files.
import { h } from './dom.js';

/**
 * Reads colours of the style sheets in the current theme: [[custom property, class of the element that has it]]. They are
 * read from an element, because custom properties are not resolved.
 */
export function readColours(wanted) {
  const probe = h('span', { hidden: true });
  document.body.append(probe);
  const colours = wanted.map(([name, kind = '']) => {
    probe.className = kind;
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}
