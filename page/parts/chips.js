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
    this.element.addEventListener('scroll', () => { this.scrolled = this.element.scrollTop; });
    new ResizeObserver(() => { this.places = null; this.keepInView(); }).observe(this.element);
  }

  /** `lost` is a list of spans [from, to] that are marked. */
  show(board, moves, { notation = 'tile', runs = true, at = moves.length, lost = [] } = {}) {
    const all = chipsOf(board, moves, notation, runs);
    this.total = moves.length;
    const near = Math.max(all.findIndex(({ from, count }) => from + count >= at), 0);
    const first = all.length > MOST ? Math.max(0, Math.min(near - MOST / 2, all.length - MOST)) : 0;
    this.parts = all.slice(first, first + MOST).map((part) => ({ ...part, element: this.chip(part, notation, lost) }));
    this.element.replaceChildren(...this.parts.map(({ element }) => h('li', {}, element)));
    this.element.classList.toggle('long', this.parts.length > 60);
    this.again = () => this.show(board, moves, { notation, runs, at: this.wanted, lost });
    Object.assign(this, { passed: null, current: null, places: null, scrolled: this.element.scrollTop });
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
    this.wanted = moves;
    if (this.isFarFrom(moves)) return this.again();
    const passed = this.parts.filter(({ from }) => from < moves).length;
    if (passed === this.passed) return;
    const [from, to] = this.passed === null ? [0, this.parts.length] : [passed, this.passed].sort((a, b) => a - b);
    for (let place = from; place < to; place += 1) this.parts[place].element.classList.toggle('ahead', place >= passed);
    if (this.current) set(this.current.element, { 'aria-current': null, tabindex: -1 });
    this.current = moves > 0 ? this.parts[passed - 1] ?? null : null;
    if (this.current) set(this.current.element, { 'aria-current': 'step', tabindex: 0 });
    else if (this.parts[0]) this.parts[0].element.tabIndex = 0;
    this.passed = passed;
    this.keepInView();
    return undefined;
  }

  /** Of many moves not all are drawn; these are beyond those that are. */
  isFarFrom(moves) {
    const [first, last] = [this.parts[0], this.parts.at(-1)];
    return this.parts.length === MOST && (moves < first.from || (moves > last.from + last.count && last.from + last.count < this.total));
  }

  /** Scrolls the list alone, never the page. Where chips lie is read once, for reading it makes the browser lay out. */
  keepInView() {
    if (!this.current || !this.element.classList.contains('long')) return;
    this.places ??= { height: this.element.clientHeight, chips: new Map(this.parts.map(({ element }) => [element, [element.offsetTop, element.offsetHeight]])) };
    const [top, height] = this.places.chips.get(this.current.element);
    if (top >= this.scrolled && top + height <= this.scrolled + this.places.height) return;
    this.scrolled = Math.max(0, top - this.places.height / 2);
    this.element.scrollTop = this.scrolled;
  }
}
