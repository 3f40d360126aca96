// The offer to open a board that was pasted into a view.
import { isAbort } from '../engine/fault.js';
import { sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { parseLink } from '../puzzle/link.js';
import { paramsFor, readText } from '../views/read_text.js';
import { BoardView } from './board.js';
import { button, note, sentence, waiting } from './controls.js';
import { fill, h } from './dom.js';
import { loadStyle } from './style.js';

await loadStyle('style/later.css');

/** For each view: the view that opens the board, the text of the button, and the choices of the address that stay. */
const TARGETS = {
  play: ['play', 'Play this board', []],
  watch: ['watch', 'Watch', ['metric', 'speed', 'notation', 'runs']],
  race: ['race', 'Race', ['rows', 'by', 'scale']],
  inside: ['inside', 'Look inside', ['algorithm', 'heuristic', 'weight', 'matrix', 'picture'].flatMap((name) => [name, `${name}2`])],
  learn: ['play', 'Play this board', []],
};
let open = null;

/**
 * Reads a pasted text and offers its board above the view. Nothing else changes until the reader takes it. `place` has
 * the interface of the router and {view, signal, goalText}: the view on display, its signal and its goal.
 */
export async function offerPasted(text, place) {
  if (!TARGETS[place.view]) return;
  open?.close();
  open = new Offer(place);
  await open.read(text);
}

class Offer {
  constructor(place) {
    this.place = place;
    this.before = document.activeElement;
    this.cancel = new AbortController();
    this.element = h('section', { class: 'panel stack pasted', 'aria-label': 'Pasted board', onkeydown: (event) => event.key === 'Escape' && this.close() });
    this.message = h('div', { role: 'status' });
    fill(this.element, this.message, this.buttons());
    document.querySelector('.view-head').after(this.element);
  }

  buttons(...primary) {
    return h('div', { class: 'row' }, primary, button(primary.length ? 'Cancel' : 'Close', () => this.close(), primary.length ? '' : 'plain'));
  }

  async read(text) {
    const signal = AbortSignal.any([this.place.signal, this.cancel.signal]);
    const onEvent = (event, data) => {
      if (!signal.aborted && waiting(event, data)) fill(this.message, note('warn', ...waiting(event, data)));
    };
    fill(this.message, note('info', 'Reading the pasted text…'));
    try {
      const found = await readText(this.place.engine, text, null, { signal, onEvent });
      if (!signal.aborted) this.show(found);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      fill(this.message, note('bad', 'The pasted text has no board.', sentence(error.message), { role: 'alert' }));
    }
  }

  show(found) {
    const { board, notes = [] } = found;
    const [view, title, names] = TARGETS[this.place.view];
    const { params } = parseLink(location.hash);
    const kept = Object.fromEntries(names.filter((name) => params[name]).map((name) => [name, params[name]]));
    const next = paramsFor(view, found, { ...kept, goal: this.place.goalText });
    const picture = new BoardView({ label: 'Pasted board' });
    picture.show(board, goalOf(next.goal, board) ?? goalOf(null, board));
    const take = button(title, () => { this.close(); this.place.go(view, next); }, 'primary');
    const words = [h('h2', {}, `Pasted board, ${sizeText(board).replace('x', ' × ')}`), next.moves ? h('p', { class: 'small muted' }, 'With the moves of the link.') : null,
      notes.map((assumed) => note('info', `Loyd ${assumed}.`))];
    fill(this.element, picture.element, h('div', { class: 'stack' }, h('div', { class: 'stack', role: 'status' }, words), this.buttons(take)));
    this.element.classList.add('read');
    take.focus();
  }

  close() {
    this.cancel.abort();
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (hadFocus) (this.before?.isConnected && this.before !== document.body ? this.before : document.getElementById('main')).focus();
  }
}
