// Style sheets that are loaded when they are needed.
import { h } from './dom.js';

/** Loads a style sheet once, and waits for it. Throws if that fails. */
export function loadStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return undefined;
  const link = h('link', { rel: 'stylesheet', href });
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} could not be loaded.`));
    };
  });
}
