// Moves as chips. A run is a single chip.
import { chipsOf, tileWord, blankWord } from '../puzzle/moves.js';
import { h, set } from './dom.js';

/** Maximum number of chips drawn; of longer solutions, only those near the current move are, in whole blocks. */
const MAX_CHIPS = 600;
const BLOCK = 200;

export class Chips {
  /** `onJump(moves)` is called when the reader selects the board after this number of moves. */
  constructor(label, onJump) {
    this.element = h('ol', { class: 'chips', 'aria-label': label });
    Object.assign(this, { parts: [], passed: 0, current: null });
    this.element.addEventListener('click', (event) => {
      const chip = event.target.closest('.chip');
      if (chip) onJump(Number(chip.dataset.to));
    });
    new ResizeObserver(() => this.keepInView()).observe(this.element);
  }

  /** Shows moves. `lost` is a list of spans [from, to] to mark. Chips that are drawn already are kept. */
  show(board, moves, { notation = 'tile', runs = true, at = moves.length, lost = [] } = {}) {
    const all = chipsOf(board, moves, notation, runs);
    this.total = moves.length;
    const near = Math.max(all.findIndex(({ from, count }) => from + count >= at), 0);
    const first = all.length > MAX_CHIPS ? Math.max(0, (Math.floor(near / BLOCK) - 1) * BLOCK) : 0;
    const parts = all.slice(first, first + MAX_CHIPS).map((part) => ({ ...part, ...this.described(part, notation, lost) }));
    const kept = this.parts.findIndex(({ label }, place) => label !== parts[place]?.label);
    this.redraw(parts, kept < 0 ? this.parts.length : kept);
    this.again = () => this.show(board, moves, { notation, runs, at: this.target, lost });
    this.at(at);
  }

  /** Replaces all chips but the first `kept` ones. */
  redraw(parts, kept) {
    for (const { element } of this.parts.slice(kept)) element.parentElement.remove();
    if (this.current && this.parts.indexOf(this.current) >= kept) this.current = null;
    const drawn = parts.slice(kept).map((part) => ({ ...part, element: this.chip(part) }));
    this.element.append(...drawn.map(({ element }) => h('li', {}, element)));
    this.parts = [...this.parts.slice(0, kept), ...drawn];
    this.passed = Math.min(this.passed, kept);
    this.element.classList.toggle('long', this.parts.length > 60);
  }

  described({ text, shown, from, count, letter }, notation, lost) {
    const word = notation === 'blank' ? `blank ${blankWord(letter)}` : `${count > 1 ? `${count} tiles` : 'tile'} ${tileWord(letter)}`;
    const isLost = lost.some(([start, end]) => from < end && from + count > start);
    return { isLost, label: `${text}${shown > 1 ? shown : ''}, move ${from + 1}: ${word}${isLost ? ', lost' : ''}` };
  }

  chip({ text, shown, from, count, isLost, label }) {
    return h('button', { type: 'button', tabindex: -1, class: `chip ahead${isLost ? ' lost' : ''}`, 'aria-label': label, 'data-to': from + count },
      text, shown > 1 ? h('sub', {}, shown) : null);
  }

  /** Marks the last of `moves` moves as the current one. */
  at(moves) {
    this.target = moves;
    if (this.isFarFrom(moves)) return this.again();
    const passed = this.passedBy(moves);
    for (; this.passed < passed; this.passed += 1) this.parts[this.passed].element.classList.remove('ahead');
    for (; this.passed > passed; this.passed -= 1) this.parts[this.passed - 1].element.classList.add('ahead');
    const current = moves > 0 ? this.parts[passed - 1] ?? null : null;
    if (current !== this.current) {
      if (this.current) set(this.current.element, { 'aria-current': null, tabindex: -1 });
      if (current) set(current.element, { 'aria-current': 'step' });
    }
    this.current = current;
    // With no current chip, the first one is the tab stop.
    if (this.parts[0]) this.parts[0].element.tabIndex = current && current !== this.parts[0] ? -1 : 0;
    if (current) current.element.tabIndex = 0;
    this.keepInView();
    return undefined;
  }

  /** Returns the number of chips that begin before a move, counted from the last answer, which is near. */
  passedBy(moves) {
    let passed = this.passed;
    while (passed > 0 && this.parts[passed - 1].from >= moves) passed -= 1;
    while (passed < this.parts.length && this.parts[passed].from < moves) passed += 1;
    return passed;
  }

  /** Returns whether the chip of a move is not among those that are drawn. */
  isFarFrom(moves) {
    const [first, last] = [this.parts[0], this.parts.at(-1)];
    return first && (moves < first.from || (moves > last.from + last.count && last.from + last.count < this.total));
  }

  /** Scrolls the list, never the page, after the next frame: the layout is done then, so reading it costs nothing. */
  keepInView() {
    if (this.isWaiting || !this.current || !this.element.classList.contains('long')) return;
    this.isWaiting = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.isWaiting = false;
      if (!this.current) return;
      const { scrollTop, clientHeight } = this.element;
      const { offsetTop, offsetHeight } = this.current.element;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) this.element.scrollTop = offsetTop - clientHeight / 2;
    }));
  }
}
