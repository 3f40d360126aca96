// Full screen, and the style sheet for boards that are shown to others.
import { h } from './dom.js';

let style = null;

/** Loads the style sheet. The promise is also fulfilled if that fails. */
export function loadShowStyle() {
  style ??= new Promise((done) => {
    document.head.append(h('link', { rel: 'stylesheet', href: new URL('../style/show.css', import.meta.url).href, onload: done, onerror: done }));
  });
  return style;
}

/** Shows an element in full screen, or leaves it, when its button is pressed. */
export async function change(element, { detail, target }) {
  try {
    await loadShowStyle();
    await (document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen());
  } catch {
    target.textContent = 'Full screen is not allowed here';
  }
  // After a click, the space bar plays instead of pressing the button again.
  if (detail) element.focus();
}
