// Moves as chips. A run is one chip.
import { chipsOf, tileWord, blankWord } from '../puzzle/moves.js';
import { h, set } from './dom.js';

/** More chips than this are not drawn: only those near the current one. */
const MOST = 600;

export class Chips {
  /** `onJump(moves)`: the reader wants to see the board after so many moves. */
  constructor(label, onJump) {
    this.element = h('ol', { class: 'chips', 'aria-label': label });
    this.parts = [];
    this.element.addEventListener('click', (event) => {
      const chip = event.target.closest('.chip');
      if (chip) onJump(Number(chip.dataset.to));
    });
  }

  /** `lost` is a list of spans [from, to] that are marked. */
  show(board, moves, { notation = 'tile', runs = true, at = moves.length, lost = [] } = {}) {
    const all = chipsOf(board, moves, notation, runs);
    const near = all.findIndex(({ from, count }) => from + count >= at);
    const first = all.length > MOST ? Math.max(0, Math.min(near - MOST / 2, all.length - MOST)) : 0;
    this.parts = all.slice(first, first + MOST).map((part) => ({ ...part, element: this.chip(part, notation, lost) }));
    this.element.replaceChildren(...this.parts.map(({ element }) => h('li', {}, element)));
    this.element.classList.toggle('long', this.parts.length > 60);
    this.last = null;
    this.at(at);
  }

  chip({ text, shown, from, count, letter }, notation, lost) {
    const word = notation === 'blank' ? `blank ${blankWord(letter)}` : `${count > 1 ? `${count} tiles` : 'tile'} ${tileWord(letter)}`;
    const isLost = lost.some(([start, end]) => from < end && from + count > start);
    const label = `${text}${shown > 1 ? shown : ''}, move ${from + 1}: ${word}${isLost ? ', lost' : ''}`;
    return h('button', { type: 'button', tabindex: -1, class: `chip${isLost ? ' lost' : ''}`, 'aria-label': label, 'data-to': from + count },
      text, shown > 1 ? h('sub', {}, shown) : null);
  }

  /** Shows which move is the current one: the last of `moves` moves. */
  at(moves) {
    const current = this.parts.find(({ from, count }) => from < moves && from + count >= moves) ?? null;
    if (this.last === null || current !== this.current) {
      for (const part of this.parts) part.element.classList.toggle('ahead', part.from >= moves);
      if (this.current) set(this.current.element, { 'aria-current': null, tabindex: -1 });
      this.current = current;
      if (current) set(current.element, { 'aria-current': 'step', tabindex: 0 });
      else if (this.parts[0]) this.parts[0].element.tabIndex = 0;
    }
    this.last = moves;
    this.keepInView();
  }

  /** Scrolls the list alone, never the page. */
  keepInView() {
    const { element } = this.current ?? {};
    if (!element || !this.element.classList.contains('long')) return;
    const top = element.offsetTop;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + element.offsetHeight > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight / 2;
  }
}
