// A set of boards, one at a time, around the view that shows a board.
import { Fault } from '../engine/fault.js';
import { readBoard } from '../engine/read.js';
import { button, note } from '../parts/controls.js';
import { fill, h, set } from '../parts/dom.js';
import { loadStyle } from '../parts/style.js';
import { formatBoard } from '../puzzle/board.js';
import { parseSet } from '../puzzle/board_set.js';
import { formatLink, parseLink } from '../puzzle/link.js';

/** Parameters that belong to one board of a set; the others are settings, which the next board takes over. */
const OF_BOARD = new Set(['board', 'size', 'seed', 'length', 'moves', 'at', 'r']);
const only = (params, isOfBoard) => Object.fromEntries(Object.entries(params).filter(([name]) => OF_BOARD.has(name) === isOfBoard));

/** Returns a view that shows the boards of the parameter `set` in `view`, starting with the one numbered `number`. */
export const inSet = (view) => ({
  LEAD: view.LEAD,
  // Each board is opened as if the address had it.
  prepare: (params) => view.prepare?.(params),
  show(root, params, context) {
    loadStyle('style/show.css')?.catch(() => {});
    const shown = new BoardSet(view, root, params, context);
    shown.open(shown.number, params, context.state(), context.isReload);
    shown.check();
    return () => shown.leave();
  },
});

class BoardSet {
  constructor(view, root, { set: text, number }, context) {
    Object.assign(this, { view, context, text, ...parseSet(text, number), visited: new Map() });
    this.counter = h('span', { role: 'status' });
    this.own = button('Back to its board', () => this.reopen(), 'plain', { hidden: true });
    /** The boards of the set as they were read, by their number. */
    this.read = new Map();
    this.back = button('Previous', () => this.turn(-1));
    this.on = button('Next', () => this.turn(1));
    this.damage = h('div', {});
    this.content = h('div', {});
    const bar = h('div', { class: 'row', hidden: this.texts.length === 0 }, this.back, this.counter, this.on, this.own);
    root.append(h('div', { class: 'stack set-bar' }, bar, this.faults.map((fault) => note('bad', fault, '', { role: 'alert' })), this.damage), this.content);
  }

  /** Shows a board of the set, or the board that `params` have in its place. `state` names the game; a reload may have lost it. */
  open(number, { set: _, number: __, ...params }, state, isReload = false) {
    this.leave();
    Object.assign(this, { number, params });
    this.showNumber();
    set(this.back, { disabled: number <= 1 });
    set(this.on, { disabled: number >= this.texts.length });
    const inner = {};
    this.inner = inner;
    const context = { ...this.context, isReload, state: () => state, go: (name, to) => this.context.go(name, { ...to, set: this.text, number }), keep: (...kept) => this.inner === inner && this.keep(...kept) };
    const isReplaced = params.board || params.seed || params.r;
    inner.leave = this.view.show(fill(this.content), isReplaced ? params : { ...params, board: this.texts[number - 1] }, context);
  }

  /** Puts the set into the address. A board is left out if it is the one of the set. */
  keep(params, carry = { board: params.board, goal: params.goal }, state = null) {
    // As the view would read them from the address.
    this.params = parseLink(formatLink('', params)).params;
    this.visited.set(this.number, { params: this.params, state });
    const place = { set: this.text, number: this.number };
    this.showNumber();
    const isOwn = params.board && params.board === this.texts[this.number - 1];
    const { board, size, ...rest } = params;
    this.context.keep({ ...(isOwn ? rest : params), ...place }, { ...carry, ...place }, state);
  }

  /** Shows the number of the board, and whether the view shows another board in its place. */
  showNumber() {
    const { number, params: { board, seed, r }, texts } = this;
    const isOther = Boolean(seed || r || (board && this.read.has(number) && ![texts[number - 1], this.read.get(number)].includes(board)));
    const words = `${number} of ${texts.length}${isOther ? ', replaced by another' : ''}`;
    if (words !== this.words) this.counter.replaceChildren('Board ', h('b', {}, number), words.slice(String(number).length));
    this.words = words;
    this.own.hidden = !isOther;
  }

  /** Shows the board of the set again. The one in its place stays reachable with Back. */
  reopen() {
    this.context.push();
    this.visited.delete(this.number);
    this.open(this.number, only(this.params, false), null);
    this.on.focus();
  }

  /** Shows the next or the previous board. A game that was started on it continues. */
  turn(by) {
    this.context.push();
    this.leave();
    const number = this.number + by;
    const { params: before = {}, state = null } = this.visited.get(number) ?? {};
    const params = { ...only(before, true), ...only(this.params, false) };
    this.context.keep({ ...params, set: this.text, number }, {}, state);
    this.open(number, params, state);
    const next = by < 0 ? [this.back, this.on] : [this.on, this.back];
    next.find(({ disabled }) => !disabled)?.focus();
  }

  /** Reports the boards of the set that cannot be read. */
  async check() {
    const faults = await Promise.all(this.texts.map(async (text, index) => {
      try {
        this.read.set(index + 1, formatBoard((await readBoard(this.context.engine, text)).board));
        return null;
      } catch (error) {
        // A failure of the engine is not a fault of the board.
        return error instanceof Fault ? null : `Board ${index + 1}: ${error.message}`;
      }
    }));
    this.showNumber();
    const found = faults.filter(Boolean);
    if (found.length === 0) return;
    fill(this.damage, note('bad', found.length === 1 ? 'One board of this set is damaged.' : `${found.length} boards of this set are damaged.`, found.join(' '), { role: 'alert' }));
  }

  leave() {
    const { inner } = this;
    this.inner = null;
    inner?.leave?.();
  }
}
