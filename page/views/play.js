// Play: a board to solve by hand.
import { isAbort } from '../engine/engine.js';
import { BoardView, movesOfKey } from '../parts/board.js';
import { button, check, facts, faultNote, iconButton, note, segments, waiting } from '../parts/controls.js';
import { Chips } from '../parts/chips.js';
import { announce, fill, h } from '../parts/dom.js';
import { clock, plural, rate } from '../parts/numbers.js';
import { goalLine, scrambleFields } from '../parts/setup.js';
import { formatBoard, neighbour, blankOf, parseSize, sizeText, walk } from '../puzzle/board.js';
import { Game } from '../puzzle/game.js';
import { goalOf, solvedBoard } from '../puzzle/goals.js';
import { tileWord } from '../puzzle/moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { keepSolve, keptSolves, storedFlag } from './bests.js';
import { readGameLink, scrambleRequest } from './game_link.js';
import { keepGame, keptGame, keptGameAt } from './games.js';

export const LEAD = 'Slide the tiles home. Click or drag a tile, swipe, or use the arrow keys.';
const SLIDE_MS = 120;
const CLOCK_MS = 100;
/** A board that takes longer to draw is announced. */
const DRAWING_MS = 300;
const HINT_MS = 5000;
/** Time after a move until the game is stored; it is also stored when the reader leaves. */
const STORE_MS = 400;

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
    this.build(root);
  }

  build(root) {
    this.view = new BoardView({ onMove: (letters) => this.play(letters) });
    this.view.hover = storedFlag('hover');
    this.clock = h('time', { role: 'timer', 'aria-label': 'Time' }, clock(0));
    this.facts = facts([['Moves', '0'], ['Moves/s', '–']]);
    this.best = h('p', { class: 'best small muted' });
    this.undo = iconButton('undo', 'Undo', () => this.step('undo'));
    this.redo = iconButton('redo', 'Redo', () => this.step('redo'));
    this.say = h('div', { class: 'says', role: 'status' });
    this.chips = new Chips('Your moves', (moves) => this.backTo(moves));
    this.solves = h('div', {});
    this.fastest = h('details', { ontoggle: () => this.showSolves() }, h('summary', {}), this.solves);
    this.empty = h('p', { class: 'small muted' }, 'No moves yet. Slide a tile to start the clock.');
    this.review = h('section', { class: 'review panel', 'aria-label': 'Review', hidden: true });
    this.goalLine = h('div', {});
    const acts = h('div', { class: 'acts stack' }, this.goalLine,
      h('div', { class: 'row' }, button('Scramble', () => this.scramble(), 'primary'), button('Hint', () => this.hint()), this.undo, this.redo),
      this.say,
      h('div', { class: 'row flush' }, button('Solve from here', () => this.context.go('watch', { board: formatBoard(this.game.board), goal: this.setup.goalText }), 'plain'), button('Start again', () => this.start(this.game.start, { setup: this.setup }), 'plain')),
      this.setupFields());
    const moves = h('div', { class: 'moves stack' },
      h('div', { class: 'row spread' }, h('h2', {}, 'Your moves'),
        segments('Letters', [['tile', 'Tile'], ['blank', 'Blank']], 'tile', (letters) => { this.letters = letters; this.refresh(); })),
      this.empty, this.chips.element, this.fastest);
    root.append(h('div', { class: 'play' }, h('div', { class: 'clock' }, this.clock, this.facts.element, this.best), this.view.element, acts, moves, this.review));
    this.onKey = (event) => this.key(event);
    addEventListener('keydown', this.onKey);
    this.onHide = () => this.suspend();
    addEventListener('pagehide', this.onHide);
    this.timer = setInterval(() => this.tick(), CLOCK_MS);
  }

  setupFields() {
    const fields = h('div', { class: 'fields' });
    const on = {
      change: (change) => { Object.assign(this.wanted, change); this.scramble(); },
      seed: (seed) => this.scramble(seed || undefined),
      fault: (text) => fill(this.say, note('bad', text, 'Write a whole number.')),
    };
    this.drawFields = () => fill(fields, scrambleFields(this.wanted, on));
    this.drawFields();
    return h('details', {}, h('summary', {}, 'Size, goal and scramble'), h('div', { class: 'stack' }, fields,
      check('Tiles move when the pointer passes over them', storedFlag('hover'), (on) => { this.view.hover = on; storedFlag('hover', on); })));
  }

  async begin() {
    this.start(solvedBoard(goalOf('', this.setup.size)), { setup: this.setup, isGame: false });
    const kept = keptGame(this.context.state()?.game);
    if (kept && this.resume(kept)) return;
    try {
      await this.open();
    } catch (error) {
      if (!isAbort(error)) fill(this.say, note('bad', 'This link cannot be opened.', error.message));
    }
  }

  /** Opens the board and the moves of the link, or draws a board if it has none. Throws an Error if the link is damaged. */
  async open() {
    const { params: { moves = '' }, cancel: { signal } } = this;
    if (this.context.fault) throw new Error(this.context.fault);
    const { board: given, setup } = await readGameLink(this.params, this.context.engine, { signal });
    if (signal.aborted) return undefined;
    const later = given && !moves && keptGameAt(formatBoard(given), setup.goalText);
    if (later && this.resume(later)) return undefined;
    this.wanted = { ...setup };
    if (!moves) return given ? this.start(given, { setup }) : this.scramble(setup.seed || undefined);
    const board = given ?? await this.draw(setup);
    if (!board) return undefined;
    if (!walk(board, moves)) throw new Error('The moves in this link do not fit its board.');
    this.start(board, { setup });
    for (const letter of moves) this.game.play(letter);
    this.helped = true;
    if (this.game.isSolved) this.showSolved(0);
    this.refresh();
    return this.keep();
  }

  /** Continues a stored game. Its clock runs from the next move. Returns false if the record is damaged. */
  resume(kept) {
    try {
      const { id, setup, counts, helped, ms } = kept;
      const game = Game.of(kept.game);
      // While the clock was stopped, the reader may have seen a solution.
      const isOver = game.isSolved && game.moves !== '';
      Object.assign(this, { game, id, setup, counts, helped: helped || (!isOver && game.moves !== ''), isGame: true, isUnsolvable: false, before: ms, from: null, to: null });
      this.wanted = { ...setup };
      this.showSetup();
      if (setup.isGiven) this.warnUnsolvable();
      if (isOver) this.showSolved(ms);
      else if (game.moves) {
        fill(this.say, note('info', 'Your game continues.', 'The clock runs from your next move.'));
        announce('Your game continues.');
      }
      this.refresh();
      this.keep();
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  /** Starts a game on a board drawn by seed, or by a new seed if none is given. */
  async scramble(seed = String(Math.floor(Math.random() * 2 ** 32))) {
    const setup = { ...this.wanted, seed, isGiven: false };
    const board = await this.draw(setup);
    if (board) this.start(board, { setup, counts: !setup.length });
  }

  /** Draws a board. Returns null if that fails, or if another board has been requested in the meantime. */
  async draw(setup) {
    const request = scrambleRequest(setup);
    this.drawing = request;
    const waiting = setTimeout(() => fill(this.say, note('info', 'Drawing a board…')), DRAWING_MS);
    const drawn = await this.ask('scramble', request);
    clearTimeout(waiting);
    return drawn && this.drawing === request ? parseBoard(drawn.boards[0].board, setup.size).board : null;
  }

  /** Returns the goal for a request, written out, because the engine does not know all names that the page has. */
  goalForEngine() {
    return this.setup.goalText ? { goal: formatBoard(this.game.goal) } : {};
  }

  /** Starts a game. An interrupted game remains reachable with Back. */
  start(board, { setup = { ...this.setup, isGiven: true }, isGame = true, counts = false } = {}) {
    this.hinting?.abort();
    const interrupts = this.isGame && this.game.moves && !this.game.isSolved;
    if (interrupts) {
      this.storeNow();
      this.context.push();
    }
    // A board on which nothing was moved gives its place among the stored games to the next one.
    if (!this.isGame || this.game.moves) this.id = crypto.getRandomValues(new Uint32Array(1))[0];
    this.game = new Game(board, goalOf(setup.goalText, setup.size));
    Object.assign(this, { setup, wanted: { ...setup }, isGame, counts, isUnsolvable: false, before: 0, from: null, to: null, helped: false });
    this.showSetup();
    fill(this.say, interrupts ? [note('info', 'A new game.', 'The last one is kept.'), button('Back to the last game', () => history.back(), 'plain')] : null);
    if (setup.isGiven) this.warnUnsolvable();
    this.review.hidden = true;
    this.refresh();
    if (isGame) this.keep();
  }

  /** Shows that the board of the game cannot be solved. Boards that the engine has drawn can be. */
  async warnUnsolvable() {
    const { game, setup } = this;
    const { unsolvableNote } = await import('../parts/unsolvable.js');
    const unsolvable = unsolvableNote(game.board, game.goal, setup.goalText, {
      onBoard: (board) => this.start(board),
      onGoal: (goalText) => this.start(game.start, { setup: { ...setup, goalText } }),
    });
    if (this.game !== game || !unsolvable) return;
    this.isUnsolvable = true;
    this.say.append(unsolvable);
  }

  keep() {
    const { start, board, moves } = this.game;
    const { size, seed, length, goalText, isGiven } = this.setup;
    const drawn = isGiven ? { board: formatBoard(start) } : { size: sizeText(size), seed, length };
    this.context.keep({ ...drawn, goal: goalText, moves }, { board: formatBoard(board), goal: goalText }, { game: this.id });
    clearTimeout(this.storing);
    this.storing = setTimeout(() => this.storeNow(), STORE_MS);
  }

  storeNow() {
    clearTimeout(this.storing);
    if (!this.isGame) return;
    const { id, setup, counts, helped, game } = this;
    keepGame({ id, board: formatBoard(game.board), isSolved: game.isSolved, setup, counts, helped, ms: Math.round(this.elapsed), game: game.record });
  }

  /** Stops the clock until the next move and stores the game. */
  suspend() {
    if (this.to === null) [this.before, this.from] = [this.elapsed, null];
    this.storeNow();
  }

  play(letters) {
    // Moves before the start of a game would be lost.
    if (!this.isGame || this.to !== null || !this.game.play(letters, Math.round(this.elapsed))) return;
    fill(this.say);
    this.changed();
  }

  step(direction) {
    if (this.to !== null || !this.game[direction](Math.round(this.elapsed))) return;
    this.changed();
  }

  backTo(moves) {
    if (this.to !== null) return;
    while (this.game.moves.length > moves && this.game.undo());
    this.changed();
  }

  changed() {
    this.from ??= performance.now() - this.before;
    // The hint was for the board before the move.
    this.hinting?.abort();
    if (this.game.isSolved) this.solved();
    this.refresh(SLIDE_MS);
    if (this.isGame) this.keep();
  }

  key(event) {
    if (event.defaultPrevented || event.target.closest?.('input, select, textarea, summary, .seg')) return;
    const letter = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
    if (letter === 'z' || letter === 'y') return event.preventDefault(), this.step(letter === 'y' || event.shiftKey ? 'redo' : 'undo');
    const moves = movesOfKey(event, this.game.board);
    if (moves === undefined) return undefined;
    event.preventDefault();
    return moves ? this.play(moves) : undefined;
  }

  refresh(ms = 0, marks = {}) {
    const { game } = this;
    const { last } = game;
    this.view.show(game.board, game.goal, { ms, marks: { moved: last?.tile, arrow: last?.letter, ...marks } });
    this.undo.disabled = game.done.length === 0 || this.to !== null;
    this.redo.disabled = game.undone.length === 0 || this.to !== null;
    this.empty.hidden = game.moves.length > 0;
    this.chips.show(game.start, game.moves, { notation: this.letters });
    this.tick();
  }

  get elapsed() {
    return this.from === null ? this.before : (this.to ?? performance.now()) - this.from;
  }

  tick() {
    const ms = this.elapsed;
    const moves = this.game.moves.length;
    if (this.clock.textContent !== clock(ms)) this.clock.textContent = clock(ms);
    this.facts.update([String(moves), rate(moves, ms)]);
  }

  /** Kind of board within which solves are compared. */
  get kind() {
    return `${sizeText(this.setup.size)} ${this.setup.goalText || 'blank-last'}`;
  }

  showSetup() {
    this.drawFields();
    const line = goalLine(this.setup.goalText, this.game.goal);
    fill(this.goalLine, line);
    this.goalLine.hidden = !line;
    this.showBest();
  }

  showBest() {
    const [best] = keptSolves(this.kind);
    const at = sizeText(this.setup.size).replace('x', ' × ');
    this.best.textContent = best ? `Your best at ${at}: ${clock(best.ms)}, ${plural(best.moves.length, 'move')}.` : '';
    this.fastest.hidden = !best;
    this.fastest.querySelector('summary').textContent = `Your fastest at ${at}`;
    this.showSolves();
  }

  async showSolves() {
    if (!this.fastest.open || this.fastest.hidden) return;
    const { solvesTable } = await import('../parts/solves.js');
    fill(this.solves, await solvesTable(keptSolves(this.kind), this.setup.goalText));
  }

  solved() {
    // Whole milliseconds, so that the clock, the note and the table of solves agree.
    this.to = this.from + Math.round(performance.now() - this.from);
    const { elapsed, game } = this;
    const solve = { ms: Math.round(elapsed), board: formatBoard(game.start), moves: game.moves, times: game.times };
    const place = this.counts && !this.helped ? keepSolve(this.kind, solve) : 0;
    const at = sizeText(this.setup.size).replace('x', ' × ');
    const rest = place === 1 ? `Your best at ${at} so far.` : `${plural(game.moves.length, 'move')}${place ? `; number ${place} of your fastest at ${at}` : ''}.`;
    fill(this.say, note('good', `Solved in ${clock(elapsed)}.`, rest));
    announce(`Solved in ${clock(elapsed)}, ${plural(game.moves.length, 'move')}.`);
    if (place) this.showBest();
    this.lookBack();
  }

  /** Shows a game that was solved before it was opened, in `ms` milliseconds, or in an unknown time if that is 0. */
  showSolved(ms) {
    [this.from, this.to] = [0, ms];
    fill(this.say, note('good', ms ? `Solved in ${clock(ms)}.` : 'Solved.', `${plural(this.game.moves.length, 'move')}.`));
    this.lookBack();
  }

  async lookBack() {
    const { start, moves } = this.game;
    this.review.hidden = false;
    fill(this.review, h('p', { class: 'muted small' }, 'Looking for lost moves…'));
    const answer = await this.ask('review', { board: formatBoard(start), moves, ...this.goalForEngine() }, { place: this.review });
    if (!answer) return;
    const { reviewPanel } = await import('../parts/review.js');
    fill(this.review, reviewPanel(answer.reviews, { start, goalText: this.setup.goalText, moves }));
    announce(this.review.querySelector('.big').innerText.replace('\n', ' '));
  }

  async hint() {
    const { board } = this.game;
    if (this.to !== null || this.game.isSolved) return;
    if (this.isUnsolvable) {
      fill(this.say);
      return this.warnUnsolvable();
    }
    fill(this.say, note('info', 'Looking for the next move…'));
    this.helped = true;
    this.hinting?.abort();
    const { signal } = (this.hinting = new AbortController());
    const show = (moves, rest) => {
      if (signal.aborted || !moves) return;
      const tile = board.cells[neighbour(board, blankOf(board), moves[0])];
      fill(this.say, note('info', `Move ${tile} ${tileWord(moves[0])}.`, rest));
      this.refresh(0, { hint: tile, moved: null, arrow: moves[0] });
    };
    const onEvent = (event, { moves }) => {
      if (event === 'incumbent') show(moves, `${plural(moves.length, 'move')} to go so far. Looking for fewer…`);
    };
    const answer = await this.ask('hint', { board: formatBoard(board), max_ms: HINT_MS, ...this.goalForEngine() }, { onEvent, signal });
    if (!answer) return undefined;
    const moves = answer.best[0] ?? answer.moves ?? '';
    if (!moves) return fill(this.say, note('warn', 'No hint was found in time.', 'Your board is safe.'));
    return show(moves, answer.optimal ? `${plural(answer.length, 'move')} to go from here.` : `The best known solution has ${plural(answer.length, 'move')}; at least ${answer.lower_bound} are needed.`);
  }

  /** Returns an answer of the engine, or null after showing the reader what went wrong. */
  async ask(name, request, { place = this.say, onEvent = () => {}, signal = this.cancel.signal } = {}) {
    const hear = (event, data) => {
      if (waiting(event, data)) fill(place, note('bad', ...waiting(event, data)));
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
    this.cancel.abort();
    this.hinting?.abort();
    clearInterval(this.timer);
    removeEventListener('pagehide', this.onHide);
    removeEventListener('keydown', this.onKey);
  }
}
