// Full screen.
import { loadStyle } from './style.js';

/** Shows an element in full screen, or leaves it, when its button is pressed. */
export async function change(element, { detail, target }) {
  try {
    await loadStyle('style/show.css');
  } catch { /* Full screen works without it. */ }
  try {
    await (document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen());
  } catch {
    target.textContent = 'Full screen is not allowed here';
  }
  // After a click, the space bar plays instead of pressing the button again.
  if (detail) element.focus();
}
