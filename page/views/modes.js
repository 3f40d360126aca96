// Modes of Play. A run is one or several boards with one clock: a relay of sizes, a marathon on one size, or a board
// whose numbers are hidden after the first move.
import { button, note } from '../parts/controls.js';
import { announce, fill } from '../parts/dom.js';
import { parseSize, sizeText } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { MOST_STAGES, kindOf } from '../puzzle/kind.js';
import { timeText } from '../puzzle/session.js';

const INSPECTION_MS = 15_000;

/** Parses the sizes of a relay, as in `2x2 3x3`. Returns null if one is wrong or their number is not 2 to 100. */
export function parseRelay(text) {
  const sizes = text.trim().split(/[\s,+]+/).map(parseSize);
  return sizes.length > 1 && sizes.length <= MOST_STAGES && sizes.every(Boolean) ? sizes : null;
}

export class Run {
  /** Returns the run of the chosen mode, or null for single boards. `wanted` has the size and the goal. */
  static of({ mode, relay, marathon }, { size, goalText }) {
    const sizes = { relay: parseRelay(relay), marathon: new Array(marathon).fill(size), blindfold: [size] }[mode];
    return sizes ? new Run(mode, sizes, goalText) : null;
  }

  constructor(mode, sizes, goalText) {
    const isFitting = sizes.every((size) => goalOf(goalText, size));
    Object.assign(this, { mode, sizes, goalText: isFitting ? goalText : '', parts: [], isPaused: false, isWaiting: false, memo: null, upcoming: null });
    this.kind = kindOf(this);
    this.isBlind = mode === 'blindfold';
  }

  /** Returns a record from which `Run.restored` makes this run again. */
  get record() {
    const { mode, sizes, goalText, parts, isPaused, memo } = this;
    return { mode, sizes, goalText, parts, isPaused, memo };
  }

  static restored({ mode, sizes, goalText, ...state }) {
    return Object.assign(new Run(mode, sizes, goalText), state);
  }

  /** Size and goal of the board to be solved now. */
  get stage() {
    return { size: this.sizes[this.parts.length], goalText: this.goalText };
  }

  get isComplete() {
    return this.parts.length === this.sizes.length;
  }

  /** Adds the solved board. `elapsed` is the time of the whole run in milliseconds. */
  add(game, elapsed) {
    const before = this.parts.reduce((total, { ms }) => total + ms, 0);
    this.parts.push({ board: game.start, moves: game.moves, times: game.times.map((ms) => Math.max(0, ms - before)), ms: Math.round(elapsed) - before });
    this.isPaused ||= Boolean(game.isPaused);
  }

  /** Returns the number of moves on all boards so far. */
  moveCount(game) {
    const isAdded = this.parts.at(-1)?.board === game.start;
    return this.parts.reduce((total, { moves }) => total + moves.length, isAdded ? 0 : game.moves.length);
  }

  /** Describes the state of a run of several boards; '' for a single board. */
  get progress() {
    const { parts, sizes } = this;
    if (sizes.length < 2) return '';
    const splits = parts.map(({ board, ms }) => `${sizeText(board).replace('x', ' × ')} in ${timeText(ms)}`);
    return `${this.isComplete ? `All ${sizes.length} boards solved` : `Board ${parts.length + 1} of ${sizes.length}`}${splits.length ? `: ${splits.join(', ')}` : ''}.`;
  }
}

/** Runs, inspection, pause and the frozen board of a Play view. `onEnd(run)` is called when the reader gives up. */
export class Modes {
  constructor(play, settings, onEnd) {
    Object.assign(this, { play, settings, onEnd });
    this.pauseButton = button('Pause', () => this.pause(), 'plain');
    this.freezeButton = button('Freeze', () => this.freeze(), 'plain', { 'aria-pressed': 'false' });
    this.giveUpButton = button('Give up', () => this.giveUp(), 'plain');
    play.controls.append(this.pauseButton, this.freezeButton, this.giveUpButton);
    this.draw();
  }

  draw() {
    const { play, settings } = this;
    this.pauseButton.hidden = !play.clock.isRunning && !play.isPaused;
    this.pauseButton.textContent = play.isPaused ? 'Continue' : 'Pause';
    this.freezeButton.hidden = !settings.hover;
    this.freezeButton.setAttribute('aria-pressed', String(Boolean(play.view.isFrozen)));
    this.giveUpButton.hidden = !play.run?.isBlind || play.isOver || !play.game.moves;
  }

  /** Prepares a new game or the next board of a run. */
  started() {
    const { play, settings } = this;
    const { run } = play;
    this.showPaused(false);
    this.hideNumbers(false);
    this.shownAt = performance.now();
    if (settings.inspection && !play.uncounted && !run?.isBlind && !run?.parts.length) {
      play.clock.inspect(INSPECTION_MS);
      play.tick();
      play.message.append(note('info', 'Inspection.', 'The clock starts with your first move, or after 15 seconds.'));
    }
    this.requestNext();
    this.draw();
  }

  /** Requests the next board of a run early, so that the run continues without a wait. */
  requestNext() {
    const { play } = this;
    const { run } = play;
    const size = run?.sizes[run.parts.length + (play.game.isSolved ? 0 : 1)];
    if (!size) return;
    const setup = { size, goalText: run.goalText, length: play.setup.length, seed: '', isGiven: false };
    run.upcoming = { setup, board: play.requestBoard(setup) };
  }

  /** Continues the run of a game that was left. */
  resumed() {
    const { play } = this;
    const { run } = play;
    this.hideNumbers(run.isBlind && play.game.moves !== '' && !play.isOver);
    this.requestNext();
    if (play.game.isSolved && !run.isComplete) this.showNext(run);
    this.draw();
  }

  moved() {
    const { run, isOver } = this.play;
    if (run?.isBlind && !isOver) {
      run.memo ??= Math.round(performance.now() - this.shownAt);
      this.hideNumbers(true);
    }
    this.draw();
  }

  /** Called when the board is solved. Returns whether the run has another board, which is then shown. */
  continues() {
    const { play } = this;
    const { run } = play;
    if (!run) return false;
    run.add(play.game, play.clock.elapsed);
    if (run.isComplete) return false;
    this.showNext(run);
    return true;
  }

  async showNext(run) {
    const { play } = this;
    const { setup, board } = run.upcoming;
    run.isWaiting = true;
    const next = await board;
    // The reader may have started another game in the meantime.
    if (play.run !== run) return;
    run.isWaiting = false;
    if (!next) {
      play.clock.stop();
      play.message.append(note('bad', 'The next board could not be drawn.', 'This run is not recorded.'));
      return;
    }
    play.start(next, { setup, run, uncounted: play.uncounted });
    announce(run.progress);
  }

  hideNumbers(isHidden) {
    const { view } = this.play;
    if (Boolean(view.isBlind) === isHidden) return;
    view.isBlind = isHidden;
    view.board.classList.toggle('blind', isHidden);
    this.play.refresh();
  }

  freeze() {
    const { view } = this.play;
    if (!this.settings.hover) return;
    view.isFrozen = !view.isFrozen;
    announce(view.isFrozen ? 'The board is frozen.' : 'The board follows the pointer.');
    this.draw();
  }

  /** Stops the clock and hides the board, or continues. */
  pause() {
    const { play } = this;
    if (play.isPaused) {
      this.showPaused(false);
      play.clock.start();
      play.tick();
      fill(play.message);
    } else if (play.clock.isRunning) {
      play.clock.pause();
      play.game.isPaused = true;
      this.showPaused(true);
      fill(play.message, note('info', 'Paused.', 'The board is hidden, and the solve is marked. P continues.'));
    }
    this.draw();
  }

  showPaused(isPaused) {
    const { play } = this;
    if (Boolean(play.isPaused) === isPaused) return;
    play.isPaused = isPaused;
    play.view.element.classList.toggle('paused', isPaused);
    play.view.board.inert = isPaused;
    play.refresh();
  }

  giveUp() {
    const { play } = this;
    if (!play.run?.isBlind || play.isOver) return;
    const ms = play.clock.stop();
    play.run.add(play.game, ms);
    this.showPaused(false);
    fill(play.message, note('warn', `Given up after ${timeText(ms)}.`, 'The numbers are shown again.'));
    this.ended();
    this.onEnd(ms);
  }

  /** Called at the end of a game. */
  ended() {
    this.hideNumbers(false);
    this.play.refresh();
    this.draw();
  }
}
