// The list of the solves of a session, the newest first, in pages. A solve opens below its row: replay, link, comment.
import { parseBoard } from '../puzzle/parse.js';
import { formatLink } from '../puzzle/link.js';
import { replayData, replayLink } from '../puzzle/replay.js';
import { timeText, tpsOf, valueText } from '../puzzle/session.js';
import { MOST_COMMENT } from '../puzzle/solve_record.js';
import { button, copyFrom, note } from './controls.js';
import { fill, h } from './dom.js';
import { check, field } from './fields.js';

const PAGE = 10;

export class SolveList {
  /** `on` has onChange(id, fields), onDelete(solve) and onRestore(solve). */
  constructor(on) {
    Object.assign(this, { on, solves: [], page: 0, opened: null, deleted: null, remarks: new Map(), detail: null });
    this.rows = h('tbody', {});
    this.notice = h('div', { role: 'status' });
    this.pages = h('div', { class: 'row' });
    const head = (text) => h('th', { scope: 'col', class: 'n' }, text);
    this.table = h('table', { class: 'solves' }, h('caption', { class: 'vh' }, 'Solves, the newest first'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Solve'), ['Time', 'Moves', 'TPS'].map(head))), this.rows);
    this.element = h('div', { class: 'stack' }, this.notice, this.table, this.pages);
  }

  /** Shows the solves of a kind, the oldest first. */
  show(solves, kind) {
    Object.assign(this, { solves, kind });
    if (this.deleted && this.deleted.kind !== solves[0]?.kind && solves.length) this.forget();
    if (!solves.some(({ id }) => id === this.opened)) this.opened = null;
    this.page = Math.max(0, Math.min(this.page, Math.ceil(solves.length / PAGE) - 1));
    this.draw();
  }

  draw() {
    const { solves, page } = this;
    const end = solves.length - page * PAGE;
    const shown = solves.slice(Math.max(0, end - PAGE), end).reverse();
    // Rows that have not changed stay: a press of the pointer would be lost with its target.
    const drawn = JSON.stringify([end, this.opened, shown.map(stampOf)]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.remarks.clear();
    this.table.hidden = solves.length === 0;
    fill(this.rows, shown.flatMap((solve, place) => this.row(solve, end - place)));
    const turn = (text, step, isPossible) => button(text, () => { this.page += step; this.draw(); }, '', { disabled: !isPossible });
    fill(this.pages, solves.length <= PAGE ? null : [
      turn('Newer', -1, page > 0), turn('Older', 1, end > PAGE),
      h('span', { class: 'small muted' }, `${Math.max(1, end - PAGE + 1)} to ${end} of ${solves.length}`)]);
  }

  row(solve, number) {
    const { ms, length, dnf, id, comment, isPaused } = solve;
    const isOpen = this.opened === id;
    const time = `${dnf ? `DNF (${timeText(ms)})` : timeText(ms)}${isPaused ? ', paused' : ''}`;
    const open = button(String(number), () => { this.opened = isOpen ? null : id; this.draw(); }, 'plain', { 'aria-expanded': String(isOpen), 'aria-label': `Solve ${number}, ${time}` });
    const remark = h('span', {}, comment ? ' *' : '');
    this.remarks.set(id, remark);
    const cell = (...content) => h('td', { class: 'n' }, ...content);
    const row = h('tr', {}, h('th', { scope: 'row' }, open), cell(h('b', {}, time), remark), cell(length ?? '–'), cell(valueText('tps', tpsOf(solve))));
    return isOpen ? [row, h('tr', {}, h('td', { colspan: 4, class: 'solve' }, this.openDetails(solve, number)))] : [row];
  }

  /** Returns the details of a solve. They are kept while it does not change, with a comment that is being typed. */
  openDetails(solve, number) {
    const stamp = `${number} ${stampOf(solve)}`;
    if (this.detail?.stamp !== stamp) this.detail = { stamp, element: this.details(solve, number) };
    return this.detail.element;
  }

  comment(id, text) {
    const remark = this.remarks.get(id);
    if (remark) remark.textContent = text ? ' *' : '';
    this.on.onChange(id, { comment: text });
  }

  details(solve, number) {
    const { id, dnf, comment, board, moves, splits = null } = solve;
    const parts = splits ?? (moves ? [{ board, moves, times: solve.times, ms: solve.ms }] : []);
    return h('div', { class: 'stack' },
      h('p', { class: 'small muted' }, facts(solve)),
      parts.map((part, place) => this.replay(part, splits ? `part ${place + 1} of solve ${number}` : `solve ${number}`, splits ? place : null)),
      field('Comment', { value: comment, maxlength: MOST_COMMENT, onchange: ({ target }) => this.comment(id, target.value.trim()) }),
      h('div', { class: 'row spread' }, check('Did not finish (DNF)', dnf, (on) => this.on.onChange(id, { dnf: on })),
        button('Delete', () => this.remove(id, number), '', { 'aria-label': `Delete solve ${number}` })));
  }

  /** Creates the links of a replay. Replays of slidysim have only the default goal. */
  replay({ board: text, moves, times, ms }, name, place) {
    const { goalText } = this.kind;
    const { board } = parseBoard(text);
    const replay = { rate: (moves.length * 1000) / Math.max(ms, 1), times };
    const watch = h('a', { class: 'btn plain', href: formatLink('watch', { board: text, goal: goalText }), 'aria-label': `Watch ${name}` }, 'Watch');
    replayData(board, moves, replay).then((r) => { watch.href = formatLink('watch', { r, goal: goalText }); });
    const copy = button('Copy link', async () => copyFrom(copy, await replayLink(board, moves, replay)), 'plain', { 'aria-label': `Copy link of ${name} for slidysim` });
    return h('div', { class: 'row' }, place === null ? null : h('span', { class: 'small' }, `${board.width} × ${board.height}: ${timeText(ms)}`), watch, goalText ? null : copy);
  }

  async remove(id, number) {
    const solve = this.solves.find((one) => one.id === id);
    Object.assign(this, { deleted: solve, opened: null });
    fill(this.notice, note('info', `Solve ${number} is deleted.`), button('Undo the deletion', () => { this.forget(); this.on.onRestore(solve); }));
    await this.on.onDelete(solve);
    this.notice.querySelector('button')?.focus();
  }

  forget() {
    this.deleted = null;
    fill(this.notice);
  }
}

/** What the rows and details of a solve show, without its comment. */
const stampOf = ({ id, ms, length, dnf, optimal }) => [id, ms, length, dnf, optimal].join(' ');

/** Describes when and on what board a solve was made. */
function facts({ date, board, scramble, seed, optimal, length, memo, isPaused }) {
  const over = Number.isInteger(optimal) ? `Shortest: ${optimal} moves, ${length - optimal} fewer.` : null;
  return [
    date ? `${new Date(date).toLocaleString('en-GB')}.` : 'Date unknown.',
    Number.isFinite(memo) ? `Memorised in ${timeText(memo)}.` : null,
    isPaused ? 'Paused.' : null, over,
    board ? `Scramble: ${board}${seed ? ` (seed ${seed})` : ''}.` : scramble ? `Scramble: ${scramble}.` : null,
  ].filter(Boolean).join(' ');
}
