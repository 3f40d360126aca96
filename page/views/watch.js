// Watch: plays a solution while the search continues.
import { Fault, isAbort } from '../engine/fault.js';
import { readBoard } from '../engine/read.js';
import { button, faultNote, iconButton, loadPart, note, segments } from '../parts/controls.js';
import { announce, fill, h } from '../parts/dom.js';
import { check, field } from '../parts/fields.js';
import { Gap } from '../parts/gap.js';
import { plural } from '../parts/numbers.js';
import { Player } from '../parts/player.js';
import { goalLine } from '../parts/setup.js';
import { loadStyle } from '../parts/style.js';
import { unsolvableNote } from '../parts/unsolvable.js';
import { formatBoard, parseSize, sizeText, walk } from '../puzzle/board.js';
import { goalOf, isSolved } from '../puzzle/goals.js';
import { lengthIn } from '../puzzle/moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { parseMoves } from '../puzzle/read_moves.js';
import { boardBefore, readReplay } from '../puzzle/replay.js';
import { validParts } from './link_parts.js';

await loadStyle('style/later.css');

export const LEAD = 'Play the best solution so far while the search continues.';
const FIRST_MS = 20_000;
const LONGER = 4;
const EXAMPLE = '2 3 4/1 5 0/7 6 8';
const MAX_SOLUTIONS = 1000;
/** Status of a finished search whose answer is hidden. */
const ENDED = 'The search has ended.';

export function show(root, params, context) {
  const watch = new Watch(root, validParts(params, root), context);
  watch.begin();
  return () => watch.leave();
}

class Watch {
  constructor(root, params, context) {
    Object.assign(this, { context, params, metric: params.metric === 'mtm' ? 'mtm' : 'stm', goalText: params.goal ?? '', ms: FIRST_MS, hides: params.hide === '1' });
    this.player = new Player({ speed: params.speed, notation: params.notation, runs: params.runs !== 'no', onRest: () => this.rested() });
    this.gap = new Gap();
    this.side = h('div', { class: 'stack panel' });
    this.pager = h('div', { class: 'row' });
    this.goalLine = h('div', {});
    const left = h('div', { class: 'stack' }, this.player.view.element, this.player.transport, this.goalLine);
    this.exports = h('details', { ontoggle: () => this.showExports() }, h('summary', {}, 'Export'));
    this.buildCover();
    this.answer = [this.player.transport, this.side, this.pager, this.player.chips.element, this.player.writing, this.exports];
    const right = h('div', { class: 'stack' }, this.side, this.cover, this.answer.slice(2), this.hiding);
    root.append(h('div', { class: 'watch' }, left, right));
    this.onKey = (event) => this.isCovered || this.player.key(event);
    addEventListener('keydown', this.onKey);
    this.coverAnswer(this.hides);
  }

  /** Creates the panel in place of a hidden answer, and the choice to hide it. */
  buildCover() {
    this.progress = h('p', { class: 'small muted', role: 'status' });
    this.cover = h('div', { class: 'stack panel' }, h('h2', {}, 'The answer is hidden'), this.progress,
      h('div', { class: 'row' }, button('Show the answer', () => this.changeCover(false), 'primary')));
    this.again = button('Hide it again', () => this.changeCover(true), 'plain');
    const choice = check('Hide the answer at first', this.hides, (hides) => { this.hides = hides; this.changeCover(hides); });
    this.hiding = h('div', { class: 'row' }, choice, this.again);
  }

  /** Hides or shows the number of moves, the moves and the proof. The board stays. */
  coverAnswer(isCovered) {
    const { player } = this;
    this.isCovered = player.hidesMoves = isCovered;
    for (const part of this.answer) part.hidden = isCovered;
    this.cover.hidden = !isCovered;
    this.again.hidden = isCovered || !this.hides;
  }

  /** Hides or shows the answer on request. */
  changeCover(isCovered) {
    const { player } = this;
    player.pause();
    this.coverAnswer(isCovered);
    player.jump(isCovered ? 0 : player.at);
    if (this.keepsLater && !isCovered) this.keepMoves();
    this.keep();
    // The pressed button has disappeared.
    const next = isCovered ? this.cover.querySelector('button') : player.toggle;
    if (document.activeElement === document.body) next.focus();
  }

  /** Announces a result, without its content if the answer is hidden. */
  report(text) {
    this.progress.textContent = ENDED;
    if (!this.isCovered) announce(text);
  }

  async begin() {
    try {
      await this.open();
    } catch (error) {
      if (isAbort(error)) return;
      this.board ??= parseBoard(EXAMPLE).board;
      this.goal ??= goalOf(null, this.board);
      this.player.load(this.board, this.goal, '');
      this.coverAnswer(false);
      fill(this.side, error instanceof Fault ? faultNote(error) : note('bad', 'This link cannot be opened.', error.message, { role: 'alert' }), this.sizeField());
    }
  }

  async open() {
    const { params } = this;
    const given = params.r ? await readReplay(params.r) : await this.given();
    this.board = given.board;
    this.goal = goalOf(this.goalText, this.board) ?? goalOf(null, this.board);
    fill(this.goalLine, goalLine(this.goalText, this.goal));
    if (given.text !== undefined) given.moves = await this.movesOf(given.text);
    if (this.context.signal.aborted) return undefined;
    if (given.moves === null) return this.solve();
    this.player.load(this.board, this.goal, given.moves, { at: Number(params.at) || 0, times: given.times });
    this.showGiven();
    return this.keep();
  }

  /** Returns the contents of the link: a board, moves, or both. Moves without a board are those that end at the goal. */
  async given() {
    const { board: text, moves, size } = this.params;
    if (!text && moves) {
      const board = boardBefore(moves, parseSize(size) ?? undefined);
      return { board, moves: parseMoves(board, moves) };
    }
    const { board } = await readBoard(this.context.engine, text ?? EXAMPLE, parseSize(size), { signal: this.context.signal });
    return moves === undefined ? { board, moves: null } : { board, text: moves };
  }

  /** Parses moves in any notation with the engine, which knows which reading solves the board. */
  async movesOf(text) {
    const engine = await this.context.engine;
    const request = { text, to: 'blank', board: formatBoard(this.board), size: sizeText(this.board), goal: formatBoard(this.goal) };
    const answer = await engine.call('convert', request, { signal: this.context.signal });
    this.notes = answer.notes ?? [];
    return parseMoves(this.board, answer.text);
  }

  /** Updates the link with the current move, once there are moves. */
  rested() {
    if (this.player.moves) this.keep();
  }

  keep() {
    const { moves, r, size } = this.params;
    const shown = this.player.moves ? this.player.shown : { ...this.player.shown, at: this.params.at };
    const board = formatBoard(this.board);
    const isSquare = this.board.width === this.board.height;
    const link = r ? { r } : { board: this.params.board || !moves ? board : null, size: moves && !this.params.board ? size : isSquare ? null : sizeText(this.board), moves };
    this.context.keep({ ...link, goal: this.goalText, metric: this.metric === 'mtm' ? 'mtm' : null, hide: this.hides ? 1 : null, ...shown }, { board, goal: this.goalText });
  }

  /** Puts the moves into the link, because another search may find others; if the answer is hidden, once it is shown. */
  keepMoves() {
    this.keepsLater = this.isCovered;
    if (this.isCovered) return;
    this.params = { ...this.params, board: formatBoard(this.board), moves: this.player.moves };
    this.keep();
  }

  showGiven() {
    const { moves } = this.player;
    const end = walk(this.board, moves);
    const verdict = isSolved(end, this.goal) ? note('good', 'These moves solve the board.') : note('warn', 'These moves do not reach the goal.', 'They are played anyway.');
    fill(this.side, h('h2', {}, 'Moves from the link'), h('p', { class: 'figure' }, h('b', {}, moves.length), moves.length === 1 ? ' move' : ' moves'),
      h('p', { class: 'small muted' }, `${plural(lengthIn('mtm', moves), 'slide')} of one or more tiles.`), verdict,
      ...(this.notes ?? []).map((read) => h('p', { class: 'small muted' }, `The moves were ${read}.`)),
      this.params.board || this.params.r ? null : this.sizeField(),
      h('div', { class: 'row' }, button('Find the shortest', () => this.solve())));
  }

  /** Creates a field for the size, because the one derived from the moves may be too small. */
  sizeField() {
    if (!this.params.moves || this.params.board) return null;
    const size = this.board ? sizeText(this.board) : '';
    return field('Board size, which the moves do not determine', { value: this.params.size ?? size, onchange: ({ target }) => {
      if (parseSize(target.value)) this.context.go('watch', { ...this.params, size: target.value });
    } });
  }

  request() {
    const goal = this.goalText && { goal: formatBoard(this.goal) };
    return { board: formatBoard(this.board), size: sizeText(this.board), ...goal, metric: this.metric };
  }

  async solve() {
    this.params = { ...this.params, moves: undefined, r: undefined };
    this.keep();
    this.cancel?.abort();
    this.cancel = new AbortController();
    this.player.load(this.board, this.goal, '');
    this.keepsLater = false;
    this.progress.textContent = 'Searching…';
    fill(this.pager);
    const unsolvable = unsolvableNote(this.board, this.goal, this.goalText, {
      onBoard: (board) => this.context.go('watch', { ...this.params, board: formatBoard(board) }),
      onGoal: (goal) => this.context.go('watch', { ...this.params, goal }),
    });
    if (unsolvable) {
      this.progress.textContent = ENDED;
      return fill(this.side, unsolvable);
    }
    const { signal } = this.cancel;
    const stop = button('Stop here', () => this.stop());
    this.actions = h('div', { class: 'row' }, stop, h('span', { class: 'small muted' }, 'keeps the best solution so far'));
    fill(this.side, this.metricChoice(), this.gap.element, this.actions);
    this.gap.begin();
    try {
      const engine = await this.context.engine;
      const onEvent = (event, data) => { if (!signal.aborted) this.handleEvent(event, data); };
      const answer = await engine.call('solve', { ...this.request(), max_ms: this.ms }, { onEvent, signal });
      if (!signal.aborted) this.found(this.better(answer));
    } catch (error) {
      this.gap.stop();
      if (isAbort(error)) return undefined;
      this.coverAnswer(false);
      fill(this.actions, faultNote(error), button('Try again', () => this.solve()));
    }
    return undefined;
  }

  metricChoice() {
    return segments('Count', [['stm', 'Single tiles'], ['mtm', 'Slides']], this.metric, (metric) => { this.metric = metric; this.solve(); });
  }

  handleEvent(event, data) {
    this.gap.handle(event, data);
    // Other events may report the length of a solution before its moves arrive.
    if (event === 'incumbent' && data.length < this.shownLength) this.showMoves(data.moves);
  }

  /** Returns the answer, or the solution on display if it is better: a search that was interrupted starts again. */
  better(answer) {
    const { shownLength: length, gap: { bound } } = this;
    if (length === Infinity || answer.length <= length) return answer;
    return { ...answer, status: 'solved', moves: this.player.moves, length, lower_bound: bound ?? 0, optimal: length === bound };
  }

  /** The length of the solution on display; infinite if there is none. */
  get shownLength() {
    const { moves } = this.player;
    return moves ? lengthIn(this.metric, moves) : Infinity;
  }

  /** Shows a better solution. Playback continues at the same move if possible. */
  showMoves(moves) {
    if (moves === this.player.moves) return;
    const at = this.player.isPlaying ? this.player.at : Number(this.params.at) || this.player.at;
    this.player.load(this.board, this.goal, moves, { at });
  }

  found(answer) {
    if (answer.status !== 'solved') {
      this.report('No solution was found.');
      this.gap.end(answer.status === 'unsolvable' ? 'This board cannot be solved.' : 'No solution was found in time.', answer);
      return fill(this.actions, this.longer());
    }
    this.showMoves(answer.moves);
    const words = answer.optimal ? 'Proved: no solution is shorter.' : `At least ${answer.lower_bound} moves are needed.`;
    this.gap.end(words, answer);
    this.report(`${plural(answer.length, 'move')}. ${words}`);
    if (!answer.optimal) this.keepMoves();
    const isShort = answer.optimal && answer.length > 0;
    return fill(this.actions, isShort ? button('All shortest solutions', () => this.findAll()) : null, answer.optimal ? null : this.longer());
  }

  longer() {
    return button('Search longer', () => { this.ms *= LONGER; this.solve(); });
  }

  stop() {
    this.cancel.abort();
    const { best } = this.gap;
    this.gap.end(best === null ? 'Stopped before a solution was found.' : `Stopped. The best solution so far has ${plural(best, 'move')}.`);
    announce(this.gap.stage.textContent);
    if (this.player.moves) this.keepMoves();
    fill(this.actions, this.longer());
  }

  async findAll() {
    const { signal } = this.cancel;
    fill(this.actions, h('span', { class: 'small muted' }, 'Looking for all of them…'), button('Stop', () => this.stop()));
    try {
      const engine = await this.context.engine;
      const { answers, complete } = await engine.call('solve', { ...this.request(), all: true, max_solutions: MAX_SOLUTIONS, max_ms: this.ms }, { signal });
      if (signal.aborted) return;
      fill(this.actions);
      this.page(answers, Math.max(answers.indexOf(this.player.moves), 0), complete);
    } catch (error) {
      if (!isAbort(error)) fill(this.actions, faultNote(error));
    }
  }

  page(answers, index, complete) {
    const at = (index + answers.length) % answers.length;
    const turn = (by) => { this.page(answers, at + by, complete); this.pager.querySelector(by < 0 ? 'button' : 'button:last-of-type').focus(); };
    if (answers[at] !== this.player.moves) this.player.load(this.board, this.goal, answers[at], { at: this.player.at });
    const all = complete ? `of ${answers.length}` : `of the first ${answers.length}`;
    fill(this.pager, iconButton('back', 'Previous solution', () => turn(-1), 'solid'),
      h('span', { role: 'status' }, 'Solution ', h('b', {}, at + 1), ` ${all}${answers.length === 1 ? ', the only one' : ''}`),
      iconButton('on', 'Next solution', () => turn(1), 'solid'));
  }

  async showExports() {
    if (!this.exports.open || this.exports.querySelector('.row')) return;
    this.exports.querySelector('.note')?.remove();
    const part = await loadPart(() => import('../export/panel.js'), (fault) => this.exports.append(fault));
    if (part && this.exports.children.length === 1) this.exports.append(part.exportPanel(this.player, this.context.address));
  }

  leave() {
    this.cancel?.abort();
    this.gap.stop();
    this.player.pause();
    removeEventListener('keydown', this.onKey);
  }
}
