// Moves as chips. A run is a single chip.
import { chipsOf, tileWord, blankWord } from '../puzzle/moves.js';
import { h, set } from './dom.js';

/** Maximum number of chips drawn; of longer solutions, only those near the current move are. */
const MAX_CHIPS = 600;

export class Chips {
  /** `onJump(moves)` is called when the reader selects the board after this number of moves. */
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

  /** Shows moves. `lost` is a list of spans [from, to] to mark. */
  show(board, moves, { notation = 'tile', runs = true, at = moves.length, lost = [] } = {}) {
    const all = chipsOf(board, moves, notation, runs);
    this.total = moves.length;
    const near = Math.max(all.findIndex(({ from, count }) => from + count >= at), 0);
    const first = all.length > MAX_CHIPS ? Math.max(0, Math.min(near - MAX_CHIPS / 2, all.length - MAX_CHIPS)) : 0;
    this.parts = all.slice(first, first + MAX_CHIPS).map((part) => ({ ...part, element: this.chip(part, notation, lost) }));
    this.element.replaceChildren(...this.parts.map(({ element }) => h('li', {}, element)));
    this.element.classList.toggle('long', this.parts.length > 60);
    this.again = () => this.show(board, moves, { notation, runs, at: this.target, lost });
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

  /** Marks the last of `moves` moves as the current one. */
  at(moves) {
    this.target = moves;
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

  /** Returns whether the chip of a move is beyond those that are drawn. */
  isFarFrom(moves) {
    const [first, last] = [this.parts[0], this.parts.at(-1)];
    return this.parts.length === MAX_CHIPS && (moves < first.from || (moves > last.from + last.count && last.from + last.count < this.total));
  }

  /** Scrolls the list, never the page. The positions of the chips are read once, because reading them forces a layout. */
  keepInView() {
    if (!this.current || !this.element.classList.contains('long')) return;
    this.places ??= { height: this.element.clientHeight, chips: new Map(this.parts.map(({ element }) => [element, [element.offsetTop, element.offsetHeight]])) };
    const [top, height] = this.places.chips.get(this.current.element);
    if (top >= this.scrolled && top + height <= this.scrolled + this.places.height) return;
    this.scrolled = Math.max(0, top - this.places.height / 2);
    this.element.scrollTop = this.scrolled;
  }
}
