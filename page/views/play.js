// Play: a board to solve by hand.
import { isAbort } from '../engine/engine.js';
import { readBoard } from '../engine/read.js';
import { BoardView, moveOfKey } from '../parts/board.js';
import { button, check, facts, faultNote, field, iconButton, note, segments, waiting } from '../parts/controls.js';
import { Chips } from '../parts/chips.js';
import { announce, fill, h } from '../parts/dom.js';
import { clock, plural } from '../parts/numbers.js';
import { goalFields, sizeFields } from '../parts/setup.js';
import { formatBoard, neighbour, blankOf, parseSize, sizeText, walk } from '../puzzle/board.js';
import { Game } from '../puzzle/game.js';
import { goalOf, solvedBoard } from '../puzzle/goals.js';
import { tileWord } from '../puzzle/moves.js';
import { parseBoard } from '../puzzle/parse.js';
import { keepSolve, keptSolves, storedFlag } from './bests.js';
import { keepGame, keptGame, keptGameAt } from './games.js';

export const LEAD = 'Slide the tiles home. Click or drag a tile, swipe, or use the arrow keys.';
const SLIDE_MS = 120;
const CLOCK_MS = 100;
const HINT_MS = 5000;
/** A game is stored when no move has been made for this long, and when the reader leaves it. */
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
    this.size = parseSize(params.size) ?? { width: 4, height: 4 };
    this.goalText = '';
    this.goal = goalOf('', this.size);
    this.given = null;
    this.seed = params.seed ?? '';
    this.length = params.length ?? '';
    this.letters = 'tile';
    this.build(root);
  }

  build(root) {
    this.view = new BoardView({ onMove: (letters) => this.play(letters) });
    this.view.hover = storedFlag('hover');
    this.clock = h('time', { role: 'timer', 'aria-label': 'Time' }, clock(0));
    this.facts = facts([['Moves', '0'], ['A second', '0.00']]);
    this.best = h('p', { class: 'best small muted' });
    this.undo = iconButton('undo', 'Undo', () => this.step('undo'));
    this.redo = iconButton('redo', 'Redo', () => this.step('redo'));
    this.say = h('div', { class: 'says', role: 'status' });
    this.chips = new Chips('Your moves', (moves) => this.backTo(moves));
    this.solves = h('div', {});
    this.fastest = h('details', { ontoggle: () => this.showSolves() }, h('summary', {}), this.solves);
    this.empty = h('p', { class: 'small muted' }, 'No moves yet. Slide a tile to start the clock.');
    this.review = h('section', { class: 'review panel', 'aria-label': 'Review', hidden: true });
    const acts = h('div', { class: 'acts stack' },
      h('div', { class: 'row' }, button('Scramble', () => this.scramble(), 'primary'), button('Hint', () => this.hint()), this.undo, this.redo),
      this.say,
      h('div', { class: 'row flush' }, button('Solve from here', () => this.solve(), 'plain'), button('Start again', () => this.start(this.game.start), 'plain')),
      this.setup());
    const moves = h('div', { class: 'moves stack' },
      h('div', { class: 'row spread' }, h('h2', {}, 'Your moves'),
        segments('Letters', [['tile', 'Tile'], ['blank', 'Blank']], 'tile', (letters) => { this.letters = letters; this.refresh(); })),
      this.empty, this.chips.element, this.fastest);
    root.append(h('div', { class: 'play' }, h('div', { class: 'clock' }, this.clock, this.facts.element, this.best), this.view.element, acts, moves, this.review));
    this.onKey = (event) => this.key(event);
    addEventListener('keydown', this.onKey);
    this.store = () => this.storeNow();
    addEventListener('pagehide', this.store);
    this.timer = setInterval(() => this.tick(), CLOCK_MS);
  }

  setup() {
    const fields = h('div', { class: 'fields' });
    const draw = this.drawSetup = () => fill(fields,
      sizeFields(this.size, (size) => { this.size = size; this.goalText = goalOf(this.goalText, size) ? this.goalText : ''; draw(); this.scramble(); }),
      goalFields(this.goalText, this.size, (goal) => { this.goalText = goal; this.scramble(); }),
      field('Moves from the goal', { inputmode: 'numeric', placeholder: 'any', value: this.length, onchange: ({ target }) => { this.length = target.value.trim(); this.scramble(); } }),
      this.seedField = field('Seed', { inputmode: 'numeric', value: this.seed, onchange: ({ target }) => this.scramble(target.value.trim()) }));
    draw();
    return h('details', {}, h('summary', {}, 'Size, goal and scramble'), h('div', { class: 'stack' }, fields,
      check('Tiles move when the pointer passes over them', storedFlag('hover'), (on) => { this.view.hover = on; storedFlag('hover', on); })));
  }

  async begin() {
    this.start(solvedBoard(this.goal), false);
    const kept = keptGame(this.context.state()?.game);
    if (kept && this.resume(kept)) return;
    try {
      await this.open();
    } catch (error) {
      if (!isAbort(error)) fill(this.say, note('bad', 'This link cannot be opened.', error.message, { role: 'alert' }));
    }
  }

  /** Opens the board and the moves of the link, or draws a board if it has none. Throws an Error if the link is damaged. */
  async open() {
    const { board: text, size, goal = '', seed = '', length = '', moves = '', fault } = this.params;
    if (fault) throw new Error(fault);
    if (size && !parseSize(size)) throw new Error(`“${size}” is not a size: write 4x4; sides have 2 to 16 cells.`);
    if (!/^\d{0,20}$/.test(seed)) throw new Error(`“${seed}” is not a seed: it is a number.`);
    if (!/^\d{0,4}$/.test(length)) throw new Error(`“${length}” is not a number of moves from the goal.`);
    const { board } = text ? await readBoard(this.context.engine, text, parseSize(size), this.cancel.signal) : {};
    if (this.cancel.signal.aborted) return;
    if (board) this.size = { width: board.width, height: board.height };
    if (!goalOf(goal, this.size)) throw new Error(`“${goal}” is not a goal for ${sizeText(this.size)}.`);
    this.goalText = goal;
    this.goal = goalOf(goal, this.size);
    this.given = board ?? null;
    this.drawSetup();
    const later = board && !moves && keptGameAt(formatBoard(board), goal);
    if (later && this.resume(later)) return;
    if (board) this.start(board);
    else if (!(await this.scramble(seed || undefined))) return;
    if (!moves) return;
    if (!walk(this.game.start, moves)) throw new Error('Its moves are impossible on its board.');
    this.game.play(moves);
    Object.assign(this, { helped: true });
    this.refresh();
    this.keep();
  }

  /** Continues a stored game. Its clock runs from the next move. Returns false if the record is damaged. */
  resume(kept) {
    const game = Game.of(kept.game);
    if (!game) return false;
    const { id, size, goalText, seed, length, counts, helped, ms } = kept;
    Object.assign(this, { game, id, size, goalText, seed, length, counts, helped, goal: game.goal, isGame: true, isUnsolvable: false, before: ms, from: null, to: null });
    this.given = seed ? null : game.start;
    this.drawSetup();
    this.showBest();
    if (this.given) this.warnUnsolvable();
    if (game.isSolved) {
      [this.from, this.to, this.before] = [0, ms, 0];
      fill(this.say, note('good', `Solved in ${clock(ms)}.`, `${plural(game.moves.length, 'move')}.`));
      this.lookBack();
    } else if (game.moves) fill(this.say, note('info', 'Your game continues.', 'The clock runs from your next move.'));
    this.refresh();
    this.keep();
    return true;
  }

  /** Draws a board by seed, or by a new seed if none is given. Returns whether the game has started. */
  async scramble(seed = String(Math.floor(Math.random() * 2 ** 32))) {
    this.seed = seed;
    this.given = null;
    const request = { size: sizeText(this.size), seed: Number(seed) || 0, ...(this.goalText && { goal: this.goalForEngine() }), ...(this.length && { length: Number(this.length) }) };
    this.drawing = request;
    const drawn = await this.ask('scramble', request);
    // Another board may have been requested in the meantime.
    if (!drawn || this.drawing !== request) return false;
    this.goal = goalOf(this.goalText, this.size);
    this.seedField.querySelector('input').value = seed;
    this.start(parseBoard(drawn.boards[0].board, this.size).board, true, !this.length);
    return true;
  }

  /** Writes out the goal, because the engine does not know all names that the page has. */
  goalForEngine() {
    return this.goalText && formatBoard(goalOf(this.goalText, this.size));
  }

  /** Starts a game. A game that it interrupts stays one history entry back. */
  start(board, isGame = true, counts = false) {
    this.hinting?.abort();
    const interrupts = this.isGame && this.game.moves && !this.game.isSolved;
    if (interrupts) {
      this.storeNow();
      this.context.push();
    }
    this.game = new Game(board, this.goal);
    Object.assign(this, { isGame, counts, isUnsolvable: false, before: 0, from: null, to: null, helped: false, id: crypto.getRandomValues(new Uint32Array(1))[0] });
    this.showBest();
    fill(this.say, interrupts ? [note('info', 'A new game.', 'The last one is kept.'), button('Back to the last game', () => history.back(), 'plain')] : null);
    if (this.given) this.warnUnsolvable();
    this.review.hidden = true;
    this.refresh();
    if (isGame) this.keep();
  }

  /** Shows that the board of the game cannot be solved. Boards that the engine has drawn can be. */
  async warnUnsolvable() {
    const { game, goal, goalText } = this;
    const { unsolvableNote } = await import('../parts/unsolvable.js');
    const unsolvable = unsolvableNote(game.board, goal, goalText, {
      onBoard: (board) => { this.given = board; this.start(board); },
      onGoal: (name) => { Object.assign(this, { goalText: name, goal: goalOf(name, this.size) }); this.drawSetup(); this.start(game.board); },
    });
    if (this.game !== game || !unsolvable) return;
    this.isUnsolvable = true;
    this.say.append(unsolvable);
  }

  keep() {
    const { start, board, moves } = this.game;
    const drawn = this.given || !this.seed ? { board: formatBoard(start) } : { size: sizeText(this.size), seed: this.seed, length: this.length };
    this.context.keep({ ...drawn, goal: this.goalText, moves }, { board: formatBoard(board), goal: this.goalText }, { game: this.id });
    clearTimeout(this.storing);
    this.storing = setTimeout(this.store, STORE_MS);
  }

  storeNow() {
    clearTimeout(this.storing);
    if (!this.isGame) return;
    const { id, size, goalText, seed, length, counts, helped, game } = this;
    keepGame({ id, board: formatBoard(game.board), size, goalText, seed: this.given ? '' : seed, length, counts, helped, ms: Math.round(this.elapsed), game: game.record });
  }

  play(letters) {
    if (this.to !== null || !this.game.play(letters, Math.round(this.elapsed))) return;
    this.from ??= performance.now() - this.before;
    fill(this.say);
    if (this.game.isSolved) this.solved();
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
    // The hint was for the board before the move.
    this.hinting?.abort();
    this.refresh(SLIDE_MS);
    if (this.isGame) this.keep();
  }

  key(event) {
    if (event.defaultPrevented || event.target.closest?.('input, select, textarea, summary, .seg')) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') return event.preventDefault(), this.step(event.shiftKey ? 'redo' : 'undo');
    const letter = moveOfKey(event);
    if (!letter) return undefined;
    event.preventDefault();
    return neighbour(this.game.board, blankOf(this.game.board), letter) < 0 ? undefined : this.play(letter);
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
    this.facts.update([String(moves), ms ? ((moves * 1000) / ms).toFixed(2) : '0.00']);
  }

  /** Kind of board within which solves are compared. */
  get kind() {
    return `${sizeText(this.size)} ${this.goalText || 'blank-last'}`;
  }

  showBest() {
    const [best] = keptSolves(this.kind);
    const at = `${this.size.width} × ${this.size.height}`;
    this.best.textContent = best ? `Your best at ${at}: ${clock(best.ms)}, ${plural(best.moves.length, 'move')}.` : '';
    this.fastest.hidden = !best;
    this.fastest.querySelector('summary').textContent = `Your fastest at ${at}`;
    this.showSolves();
  }

  async showSolves() {
    if (!this.fastest.open || this.fastest.hidden) return;
    const { solvesTable } = await import('../parts/solves.js');
    fill(this.solves, await solvesTable(keptSolves(this.kind), this.goalText));
  }

  solved() {
    this.to = performance.now();
    const { elapsed, game } = this;
    const solve = { ms: Math.round(elapsed), board: formatBoard(game.start), moves: game.moves, times: game.times };
    const place = this.counts && !this.helped ? keepSolve(this.kind, solve) : 0;
    const at = `${this.size.width} × ${this.size.height}`;
    const rest = place === 1 ? `Your best at ${at} so far.` : `${plural(game.moves.length, 'move')}${place ? `; number ${place} of your fastest at ${at}` : ''}.`;
    fill(this.say, note('good', `Solved in ${clock(elapsed)}.`, rest));
    announce(`Solved in ${clock(elapsed)}, ${plural(game.moves.length, 'move')}.`);
    if (place) this.showBest();
    this.lookBack();
  }

  async lookBack() {
    const { start, moves } = this.game;
    this.review.hidden = false;
    fill(this.review, h('p', { class: 'muted small' }, 'Looking for lost moves…'));
    const answer = await this.ask('review', { board: formatBoard(start), moves, ...(this.goalText && { goal: this.goalForEngine() }) }, { place: this.review });
    if (!answer) return;
    const { reviewPanel } = await import('../parts/review.js');
    fill(this.review, reviewPanel(answer.reviews, { start, goalText: this.goalText, moves }));
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
    const answer = await this.ask('hint', { board: formatBoard(board), max_ms: HINT_MS, ...(this.goalText && { goal: this.goalForEngine() }) }, { onEvent, signal });
    if (!answer) return undefined;
    const moves = answer.best[0] ?? answer.moves ?? '';
    if (!moves) fill(this.say, note('warn', 'No hint was found in time.', 'Your board is safe.'));
    show(moves, answer.optimal ? `${plural(answer.length, 'move')} to go from here.` : `The best known solution has ${plural(answer.length, 'move')}; at least ${answer.lower_bound} are needed.`);
    return undefined;
  }

  solve() {
    this.helped = true;
    this.context.go('watch', { board: formatBoard(this.game.board), goal: this.goalText });
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
    this.storeNow();
    this.cancel.abort();
    this.hinting?.abort();
    clearInterval(this.timer);
    removeEventListener('pagehide', this.store);
    removeEventListener('keydown', this.onKey);
  }
}
