// Play: a board to solve by hand.
import { isAbort } from '../engine/fault.js';
import { button, faultNote, loadPart, note, waiting } from '../parts/controls.js';
import { announce, fill } from '../parts/dom.js';
import { clock, plural } from '../parts/numbers.js';
import { formatBoard, parseSize, sizeText, walk } from '../puzzle/board.js';
import { Game } from '../puzzle/game.js';
import { goalOf, isSolved, solvedBoard } from '../puzzle/goals.js';
import { formatLink, parseLink } from '../puzzle/link.js';
import { parseBoard } from '../puzzle/parse.js';
import { drawBoard } from '../puzzle/scramble.js';
import { Clock } from './clock.js';
import { keepGame, keptGame, keptGameAt, latestGame } from './games.js';
import { listenToKeys } from './keys.js';
import { buildFrame, showSize } from './play_frame.js';
import { needsTrainer, storedSettings } from './settings.js';

export const LEAD = 'Slide the tiles into order. Click or drag a tile, swipe, or use the arrow keys.';
const SLIDE_MS = 120;
/** A board that takes longer to draw is announced. */
const DRAWING_MS = 300;
/** Boards drawn until one is not solved: of 2x2 every twelfth is. */
const MOST_DRAWS = 10;

/** Whether the next game that continues gets the focus, because the control that had it is gone. */
let focusesBoard = false;

/** The reader of links. A first visit has none. */
let gameLink = null;

/** Loads the reader if there is a link, so that its board is there before the first key. */
export async function prepare(params) {
  if (Object.keys(params).length) gameLink ??= await import('./game_link.js');
}

/** Returns what the board after one of `setup` is made of: the length of a level is not for later boards. */
const wantedAfter = (setup) => (setup.isLevel ? { ...setup, isLevel: false, length: '' } : { ...setup });

/** Returns the link of the board at the start of a game. */
const withoutMoves = (params) => formatLink('play', { ...params, moves: '' });

export function show(root, params, context) {
  const play = new Play(root, params, context);
  play.begin();
  return () => play.leave();
}

class Play {
  constructor(root, params, context) {
    this.context = context;
    this.cancel = new AbortController();
    this.params = params;
    /** What the game was made of: {size, goalText, seed, length, isGiven}. */
    this.setup = { size: parseSize(params.size) ?? { width: 4, height: 4 }, goalText: '', seed: '', length: '', isGiven: false };
    /** What the next scramble is made of. */
    this.wanted = { ...this.setup };
    this.letters = 'tile';
    this.settings = storedSettings();
    this.clock = new Clock();
    /** Hints, reviews, sessions, settings and modes, once they are loaded. */
    this.trainer = null;
    buildFrame(this, root);
    listenToKeys(this, this.cancel.signal);
    addEventListener('pagehide', () => this.suspend(), { signal: this.cancel.signal });
    // Browsers may load a page again before `pagehide` has stored the clock.
    addEventListener('beforeunload', () => this.storeGame(), { signal: this.cancel.signal });
  }

  /** Loads a part of the page. Returns null if that fails, after showing it. */
  part(load) {
    return loadPart(load, (fault) => this.message.append(fault));
  }

  /** Loads the trainer once, and calls `deed` with it. Returns null if it cannot be loaded, after showing that. */
  async train(deed = () => null) {
    const open = async () => (await import('./trainer.js')).openTrainer(this);
    this.loading ??= this.part(open);
    this.trainer = await this.loading;
    if (!this.trainer) this.loading = null;
    if (!this.cancel.signal.aborted) return this.trainer && deed(this.trainer);
    this.trainer?.close();
    return null;
  }

  async begin() {
    this.start(solvedBoard(goalOf('', this.setup.size)), { setup: this.setup, isGame: false });
    if (needsTrainer(this.settings)) await this.train();
    if (this.cancel.signal.aborted) return;
    const { context, params } = this;
    const kept = keptGame(context.state()?.game) ?? (context.isReload && latestGame(withoutMoves(params)));
    if (kept && await this.resume(kept)) return;
    try {
      await this.open();
    } catch (error) {
      if (!isAbort(error)) fill(this.message, note('bad', 'This link cannot be opened.', error.message));
    }
  }

  /** Opens the board and the moves of the link, or draws a board if it has none. Throws an Error if the link is damaged. */
  async open() {
    const { params: { moves = '' }, cancel: { signal } } = this;
    if (this.context.fault) throw new Error(this.context.fault);
    const isLink = Object.keys(this.params).length > 0;
    const { board: given, setup } = isLink ? await gameLink.readGameLink(this.params, this.context.engine, { signal }) : { board: null, setup: this.setup };
    if (signal.aborted) return undefined;
    const later = given && !moves && keptGameAt(formatBoard(given), setup.goalText);
    if (later && await this.resume(later)) return undefined;
    this.wanted = { ...setup };
    if (!moves) return given ? this.start(given, { setup }) : this.scramble(setup.seed || undefined);
    const board = given ?? await this.draw(setup);
    if (!board) return undefined;
    if (!walk(board, moves)) throw new Error('The moves in this link do not fit its board.');
    this.start(board, { setup });
    for (const letter of moves) this.game.play(letter);
    if (this.game.isSolved) this.showOver(0);
    this.refresh();
    return this.keep();
  }

  /** Continues a stored game. Its clock runs from the next move. Returns false if the record is damaged. */
  async resume(kept) {
    try {
      const { id, setup, uncounted, ms } = kept;
      const game = Game.of(kept.game);
      const run = kept.run ? await this.train((trainer) => trainer.restoredRun(kept.run)) : null;
      if (this.cancel.signal.aborted) return true;
      const isOver = game.isSolved && game.moves !== '' && (!run || run.isComplete);
      // While the clock was stopped, the reader may have seen a solution.
      const wasLeft = !isOver && (game.moves !== '' || run?.parts.length > 0);
      Object.assign(this, { game, id, setup, uncounted: uncounted || (wasLeft ? 'left' : ''), isGame: true, isUnsolvable: false, run, wanted: wantedAfter(setup) });
      this.clock.reset(ms);
      this.showSetup();
      if (setup.isGiven) this.warnUnsolvable();
      if (isOver) this.showOver(ms);
      else if (wasLeft) {
        fill(this.message, note('info', 'Your game continues.', 'The clock runs from your next move.'));
        announce('Your game continues.');
      }
      if (run) this.trainer.resumed();
      this.refresh();
      this.keep();
      if (focusesBoard) this.view.at(this.view.current).element.focus({ preventScroll: true });
      focusesBoard = false;
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  /** Returns to the last game. The view that shows it gives the focus to the board. */
  back() {
    focusesBoard = true;
    history.back();
  }

  /** Starts a game on a board drawn by seed, or by a new seed if none is given. */
  async scramble(seed = '') {
    const run = this.trainer?.newRun(this.wanted) ?? null;
    const setup = { ...this.wanted, ...run?.stage, seed, isGiven: false };
    const board = await this.draw(setup);
    if (board) this.start(board, { setup, run, uncounted: setup.length ? 'length' : '' });
  }

  /** Starts the same board again. */
  startAgain() {
    if (this.isGame && this.game.moves) this.start(this.game.start, { setup: this.setup, uncounted: 'again' });
  }

  /** Draws a board. Returns null if that fails, or if another board has been requested in the meantime. */
  async draw(setup) {
    this.drawing = setup;
    const waiting = setTimeout(() => fill(this.message, note('info', 'Drawing a board…')), DRAWING_MS);
    const board = await this.requestBoard(setup);
    clearTimeout(waiting);
    return this.drawing === setup ? board : null;
  }

  /**
   * Returns a scrambled board, drawn by the engine if its length is given or the goal is partial; null if that fails.
   * Without a seed, it sets a new one whose board is not solved already.
   */
  async requestBoard(setup, draws = setup.seed ? 1 : MOST_DRAWS) {
    setup.seed ||= String(Math.floor(Math.random() * 2 ** 32));
    const { size, goalText, seed, length } = setup;
    const goal = goalOf(goalText, size);
    const board = (!length && drawBoard(goal, Number(seed))) || await this.engineBoard(setup);
    if (draws === 1 || !board || !isSolved(board, goal)) return board;
    setup.seed = '';
    return this.requestBoard(setup, draws - 1);
  }

  async engineBoard(setup) {
    const link = await this.part(() => import('./game_link.js'));
    const drawn = link && await this.ask('scramble', link.scrambleRequest(setup));
    return drawn && parseBoard(drawn.boards[0].board, setup.size).board;
  }

  /**
   * Starts a game. An interrupted game remains reachable with Back. `uncounted` is the reason why a solve is not recorded: 'given',
   * 'length', 'again', 'left' or 'hint'; '' if it is.
   */
  start(board, { setup = { ...this.setup, isGiven: true }, isGame = true, uncounted = 'given', run = null } = {}) {
    this.hinting?.abort();
    const interrupts = this.isGame && this.game.moves && !this.game.isSolved;
    if (interrupts) {
      this.storeGame();
      this.context.push();
    }
    // A run is one stored game. A board on which nothing was moved gives its place to the next one.
    if (!run?.parts.length && (!this.isGame || this.game.moves)) this.id = crypto.getRandomValues(new Uint32Array(1))[0];
    this.game = new Game(board, goalOf(setup.goalText, setup.size));
    Object.assign(this, { setup, wanted: wantedAfter(setup), isGame, uncounted, run, isUnsolvable: false });
    // The clock of a run continues from board to board.
    if (!run?.parts.length) this.clock.reset();
    this.showSetup();
    fill(this.message, interrupts ? [note('info', uncounted === 'again' ? 'The same board again.' : 'A new game.', 'The last one is kept.'), button('Back to the last game', () => this.back(), 'plain')] : null);
    if (setup.isGiven) this.warnUnsolvable();
    this.review.hidden = true;
    this.refresh();
    if (!isGame) return;
    this.keep();
    this.trainer?.started();
  }

  /** Shows that the board of the game cannot be solved. Boards that the engine has drawn can be. */
  async warnUnsolvable() {
    const { game, setup } = this;
    const part = await this.part(() => import('../parts/unsolvable.js'));
    const unsolvable = part?.unsolvableNote(game.board, game.goal, setup.goalText, {
      onBoard: (board) => this.start(board),
      onGoal: (goalText) => this.start(game.start, { setup: { ...setup, goalText } }),
    });
    if (this.game !== game || !unsolvable) return;
    this.isUnsolvable = true;
    this.message.append(unsolvable);
  }

  /** The parts of the link for the board at the start of the game. */
  get link() {
    const { size, seed, length, goalText: goal, isGiven } = this.setup;
    return isGiven ? { board: formatBoard(this.game.start), goal } : { size: sizeText(size), seed, length, goal };
  }

  keep() {
    const { board, moves } = this.game;
    // It may still be that of an earlier board.
    this.address = withoutMoves(parseLink(location.hash).params);
    this.context.keep({ ...this.link, moves }, { board: formatBoard(board), goal: this.setup.goalText }, { game: this.id });
    this.storeGame();
  }

  /** Stores the game, after each move: browsers may load a page again before the handlers of the last one have run. */
  storeGame() {
    if (!this.isGame) return;
    const { id, setup, uncounted, game, run } = this;
    keepGame({ id, links: [formatLink('play', this.link), this.address], board: formatBoard(game.board), isSolved: game.isSolved, setup, uncounted, ms: Math.round(this.clock.elapsed), game: game.record, run: run?.record });
  }

  /** Stops the clock until the next move and stores the game. */
  suspend() {
    if (!this.isOver) this.clock.pause();
    this.storeGame();
  }

  /** Whether the game has ended. */
  get isOver() {
    return this.clock.isStopped;
  }

  /** Whether tiles may move: not before a game begins, because the moves would be lost, nor after its end. */
  get isPlayable() {
    return this.isGame && !this.isOver && !this.isPaused && !this.run?.isWaiting;
  }

  play(letters) {
    if (!this.isPlayable || !this.game.play(letters, Math.round(this.clock.elapsed))) return;
    fill(this.message);
    this.changed();
  }

  step(direction) {
    if (this.isPlayable && this.game[direction](Math.round(this.clock.elapsed))) this.changed();
  }

  backTo(moves) {
    if (!this.isPlayable) return;
    while (this.game.moves.length > moves && this.game.undo());
    this.changed();
  }

  changed() {
    this.clock.start();
    // Loaded before the end, so that a solve is recorded even if the server stops.
    this.train((trainer) => trainer.moved());
    // The hint was for the board before the move.
    this.hinting?.abort();
    if (this.game.isSolved && !this.trainer?.continues()) this.solved();
    this.refresh(this.settings.hover ? 0 : SLIDE_MS);
    this.keep();
  }

  refresh(ms = 0, marks = {}) {
    const { game } = this;
    this.view.show(game.board, game.goal, { ms, marks: { moved: game.isSolved ? null : game.last?.tile, ...marks } });
    this.undo.disabled = game.done.length === 0 || !this.isPlayable;
    this.redo.disabled = game.undone.length === 0 || !this.isPlayable;
    this.empty.hidden = game.moves.length > 0;
    this.chips.show(game.start, game.moves, { notation: this.letters });
    this.tick();
  }

  /** Number of moves of the game, or of the whole run. */
  get moveCount() {
    return this.run?.moveCount(this.game) ?? this.game.moves.length;
  }

  /** Draws the clock, and draws it again at every frame while it runs or counts down. */
  tick() {
    const { clock } = this;
    if (clock.inspection <= 0 && clock.inspection !== null) clock.start();
    this.face.draw(clock, this.moveCount);
    cancelAnimationFrame(this.frame);
    if (clock.isRunning || clock.inspection !== null) this.frame = requestAnimationFrame(() => this.tick());
  }

  /** Names the goal if it is not the usual one. */
  async showGoal() {
    const { setup, game } = this;
    this.goalLine.hidden = !setup.goalText;
    const part = setup.goalText && await this.part(() => import('../parts/setup.js'));
    if (part && this.game === game) fill(this.goalLine, part.goalLine(setup.goalText, game.goal));
  }

  showSetup() {
    showSize(this, sizeText(this.setup.size));
    this.drawFields();
    this.showGoal();
    this.trainer?.showSession();
  }

  solved() {
    const ms = this.clock.stop();
    const { game, setup, run, uncounted } = this;
    const moves = plural(this.moveCount, 'move');
    fill(this.message, note('good', `Solved in ${clock(ms)}.`, `${moves}.`));
    announce(`Solved in ${clock(ms)}, ${moves}.`);
    this.train((trainer) => trainer.finish({ game, setup, run, ms, uncounted }));
  }

  /** Shows a game that was solved before it was opened, in `ms` milliseconds, or in an unknown time if that is 0. */
  showOver(ms) {
    this.clock.reset(ms);
    this.clock.stop();
    fill(this.message, note('good', ms ? `Solved in ${clock(ms)}.` : 'Solved.', `${plural(this.game.moves.length, 'move')}.`));
    const { game, setup } = this;
    this.train((trainer) => trainer.lookBack({ game, setup }));
  }

  hint() {
    if (this.isOver || this.game.isSolved) return undefined;
    fill(this.message);
    if (!this.isUnsolvable) return this.train((trainer) => trainer.hint());
    return this.warnUnsolvable();
  }

  /** Returns an answer of the engine, or null after showing the reader what went wrong. */
  async ask(name, request, { place = this.message, onEvent = () => {}, signal = this.cancel.signal } = {}) {
    let before = null;
    const hear = (event, data) => {
      const words = waiting(event, data);
      if (words) {
        before ??= [...place.childNodes];
        fill(place, note('bad', ...words));
      } else if (before) {
        fill(place, before);
        before = null;
      }
      onEvent(event, data);
    };
    try {
      const engine = await this.context.engine;
      const answer = await engine.call(name, request, { onEvent: hear, signal });
      return signal.aborted ? null : answer;
    } catch (error) {
      if (!isAbort(error)) fill(place, faultNote(error));
      return null;
    }
  }

  leave() {
    this.suspend();
    this.trainer?.close();
    this.cancel.abort();
    this.hinting?.abort();
    cancelAnimationFrame(this.frame);
  }
}
