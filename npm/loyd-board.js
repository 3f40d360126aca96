// The element <loyd-board>: a sliding-tile puzzle to play, solve and watch.
import { convert, hint, scramble, solve } from './index.js';
import { isAbort } from './engine/fault.js';
import { readBoard } from './engine/read.js';
import { BoardView } from './parts/board.js';
import { button, faultNote } from './parts/controls.js';
import { h, set, setText } from './parts/dom.js';
import { formatBoard, sizeText } from './puzzle/board.js';
import { Game } from './puzzle/game.js';
import { goalOf } from './puzzle/goals.js';
import { tileWord } from './puzzle/moves.js';
import { parseBoard } from './puzzle/parse.js';
import css from './style.js';

const SLIDE_MS = 120;
/** Moves per second of an animation, unless the element has a `speed`. */
const SPEED = 4;
const MAX_SPEED = 1000;
const USUAL_BOARD = '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0';
const NAMES = new Map([['solve', 'Solve'], ['hint', 'Hint'], ['undo', 'Undo'], ['scramble', 'Scramble'], ['reset', 'Reset']]);

const moveCount = (count) => `${count} ${count === 1 ? 'move' : 'moves'}`;
/** The engine as `readBoard` expects it. */
const reader = { call: (_, { text, to, ...more }, { signal }) => convert(text, to, { ...more, signal }) };

let sheet = null;

/** Returns the style sheet that all boards share. */
function sharedSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}

// On servers, which render pages without a document, the class is only a name.
export class LoydBoard extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ['board', 'goal', 'label', 'readonly', 'controls'];

  #tray = h('div', { part: 'board' });
  #controlRow = h('div', { class: 'row', part: 'controls' });
  #status = h('p', { role: 'status', part: 'status' });
  #counter = h('p', { class: 'muted', part: 'counter' });
  // Moves are announced to screen readers; others see them on the board.
  #spoken = h('p', { class: 'vh', role: 'status' });
  #fault = h('div', {});
  #game = null;
  #view = null;
  #marks = {};
  #reading = new AbortController();
  /** Cancels the search or the animation that runs. */
  #task = new AbortController();
  #isAnimating = false;
  #ready = Promise.resolve();
  #buttons = new Map();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [sharedSheet()];
    root.append(this.#tray, this.#controlRow, h('div', { class: 'line' }, this.#status, this.#counter), this.#fault, this.#spoken);
  }

  connectedCallback() {
    if (!this.#game) this.#load();
  }

  disconnectedCallback() {
    this.#task.abort();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.isConnected) return;
    if (name === 'controls') this.#drawControls();
    else if (name === 'label') this.#drawView();
    else if (name === 'readonly') {
      this.#drawView();
      this.#drawControls();
    }
    // Moves are reflected in the attribute, which then has the board on show.
    else if (name !== 'board' || now !== this.#text) this.#load();
  }

  /** The board on show, as text. Another board starts a new game. */
  get board() { return this.#text ?? this.getAttribute('board') ?? USUAL_BOARD; }
  set board(board) { this.setAttribute('board', typeof board === 'string' ? board : JSON.stringify(board, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value))); }

  get goal() { return this.getAttribute('goal') ?? 'blank-last'; }
  set goal(goal) { this.setAttribute('goal', goal); }

  get label() { return this.getAttribute('label') ?? 'Sliding puzzle'; }
  set label(label) { this.setAttribute('label', label); }

  /** Moves per second of an animation. */
  get speed() {
    const speed = Number(this.getAttribute('speed'));
    return speed > 0 ? Math.min(speed, MAX_SPEED) : SPEED;
  }

  set speed(speed) { this.setAttribute('speed', speed); }

  get controls() { return this.hasAttribute('controls'); }
  set controls(isOn) { this.toggleAttribute('controls', isOn); }

  get readonly() { return this.hasAttribute('readonly'); }
  set readonly(isOn) { this.toggleAttribute('readonly', isOn); }

  /** Moves since the start of the game: the directions of the blank. */
  get moves() { return this.#game?.moves ?? ''; }
  get solved() { return this.#game?.isSolved ?? false; }
  get animating() { return this.#isAnimating; }
  /** Resolves once the board of the attributes is on show; rejected if it cannot be read. */
  get ready() { return this.#ready; }

  get #text() { return this.#game ? formatBoard(this.#game.board) : null; }

  /** Ends a search or an animation, so that the reader plays from the board on show. */
  play() {
    this.#stop();
    this.#announce('');
  }

  /** Makes moves, which are the directions of the blank, at once. Returns whether they are possible. */
  move(moves) {
    return this.#moveBy('script', moves);
  }

  undo() {
    this.play();
    if (!this.#game?.undo()) return false;
    this.#marks = {};
    this.#changed('script', '', SLIDE_MS);
    return true;
  }

  /** Returns to the start of the game. */
  reset() {
    if (this.#game) this.#start(this.#game.start, this.#game.goal);
  }

  /** Starts a game with a random board of the same size. Takes the options of the function `scramble`. */
  async scramble(options = {}) {
    await this.#ready;
    const signal = this.#signalWith(options.signal);
    const { goal, start } = this.#game;
    const { boards: [drawn] } = await scramble(sizeText(start), { goal: formatBoard(goal), ...options, signal });
    this.#start(parseBoard(drawn.board).board, goal);
  }

  /** Returns the solution of the board on show, with the options of `solve`. The board does not change. */
  async solve(options = {}) {
    await this.#ready;
    const signal = this.#signalWith(options.signal);
    const task = this.#task;
    this.#announce('Searching…');
    try {
      const answer = await solve(this.board, { goal: formatBoard(this.#game.goal), ...options, signal });
      this.#announce(sentenceOf(answer));
      return answer;
    } catch (error) {
      // A task that has ended this one has its own message.
      if (task === this.#task) this.#announce(isAbort(error) ? '' : error.message);
      throw error;
    }
  }

  /** Marks the tile that a shortest solution moves next, and returns the answer of `hint`. */
  async hint(options = {}) {
    await this.#ready;
    const signal = this.#signalWith(options.signal);
    this.#announce('');
    const answer = await hint(this.board, { goal: formatBoard(this.#game.goal), ...options, signal });
    const [letter] = answer.moves ?? '';
    if (!letter) this.#announce(sentenceOf(answer));
    else {
      const next = new Game(this.#game.board, this.#game.goal);
      next.play(letter);
      this.#marks = { hint: next.last.tile, arrow: letter };
      this.#draw(0);
      this.#announce(`Tile ${next.last.tile} goes ${tileWord(letter)}: ${moveCount(answer.length)} to the goal${answer.optimal ? '' : ' at most'}.`);
    }
    return answer;
  }

  /**
   * Slides tiles by `moves`, by default a solution. Returns whether all moves were made: the animation stops if the reader
   * moves a tile, and if `play` is called. If there is no solution, no tile moves.
   */
  async animateMoves(moves = null, options = {}) {
    await this.#ready;
    const letters = moves ?? (await this.solve(options)).moves;
    if (letters === null) return false;
    const signal = this.#signalWith(options.signal);
    const task = this.#task;
    this.#isAnimating = true;
    this.#drawControls();
    try {
      for (const letter of letters) {
        if (!this.#make(letter, 'animation', Math.min(1000 / this.speed, SLIDE_MS * 2))) throw new RangeError(`the blank cannot move \`${letter}\` here`);
        await pause(1000 / this.speed, signal);
        if (signal.aborted) return false;
      }
      return true;
    } finally {
      if (task === this.#task) this.#isAnimating = false;
      this.#drawControls();
    }
  }

  /** Ends a search or an animation. */
  #stop() {
    this.#task.abort();
    this.#task = new AbortController();
    this.#isAnimating = false;
    this.#drawControls();
  }

  /** Ends what runs, and returns the signal of the next task. */
  #signalWith(signal) {
    this.#stop();
    const { signal: own } = this.#task;
    return signal ? AbortSignal.any([own, signal]) : own;
  }

  /** Starts a game with the board and the goal of the attributes. */
  #load() {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#ready = this.#read(signal);
    this.#ready.catch((error) => {
      if (signal.aborted) return;
      this.#fault.replaceChildren(faultNote(error));
      this.dispatchEvent(new CustomEvent('fault', { detail: error, bubbles: true, composed: true }));
    });
  }

  async #read(signal) {
    const text = this.getAttribute('board') ?? USUAL_BOARD;
    // Common forms are read without the engine, so that the first frame shows the board.
    const board = parseBoard(text).board ?? (await readBoard(reader, text, null, { signal })).board;
    signal.throwIfAborted();
    const goal = goalOf(this.goal, board);
    if (!goal) throw new RangeError(`The goal “${this.goal}” is neither the name of a goal nor a board of ${board.width} × ${board.height}.`);
    this.#start(board, goal);
  }

  #start(board, goal) {
    this.play();
    this.#game = new Game(board, goal);
    this.#marks = {};
    this.#fault.replaceChildren();
    if (this.#view) this.#draw(0);
    else this.#drawView();
    this.#drawControls();
    this.#reflect();
  }

  #moveBy(mover, moves) {
    if (!this.#game) return false;
    this.play();
    return this.#make(moves, mover, SLIDE_MS);
  }

  /** Makes moves if they are possible, and returns whether they are. */
  #make(moves, by, ms) {
    const isPossible = /^[udlr]+$/.test(moves) && this.#game.play(moves, 0);
    if (!isPossible) return false;
    const { tile, letter } = this.#game.last;
    this.#marks = { moved: tile };
    this.#spoken.textContent = `${tile} ${tileWord(letter)}`;
    this.#changed(by, moves, ms);
    return true;
  }

  #changed(by, moves, ms) {
    this.#draw(ms);
    this.#reflect();
    const detail = { moves, by, board: this.board, length: this.#game.moves.length };
    this.dispatchEvent(new CustomEvent('move', { detail, bubbles: true, composed: true }));
    if (!this.solved) return;
    this.#announce(`Solved in ${moveCount(detail.length)}.`);
    this.dispatchEvent(new CustomEvent('solved', { detail: { ...detail, moves: this.#game.moves }, bubbles: true, composed: true }));
  }

  #reflect() {
    this.setAttribute('board', this.#text);
    this.toggleAttribute('solved', this.solved);
  }

  #announce(text) {
    setText(this.#status, text);
  }

  /** Makes the view again: whether tiles are buttons cannot be changed later. */
  #drawView() {
    if (!this.#game) return;
    this.#view = new BoardView({ label: this.label, onMove: this.readonly ? null : (letters) => this.#moveBy('reader', letters) });
    this.#tray.replaceChildren(this.#view.element);
    this.#draw(0);
  }

  #draw(ms) {
    const { board, goal, moves, done } = this.#game;
    this.#view.show(board, goal, { ms, marks: this.#marks });
    setText(this.#counter, moves ? moveCount(moves.length) : '');
    const undo = this.#buttons.get('undo');
    if (undo) undo.disabled = done.length === 0;
  }

  #drawControls() {
    if (!this.controls) {
      this.#controlRow.replaceChildren();
      this.#buttons.clear();
      return;
    }
    if (this.#buttons.size === 0) {
      for (const [name, text] of NAMES) this.#buttons.set(name, button(text, () => this.#pressed(name), name === 'solve' ? 'primary' : ''));
      this.#controlRow.append(...this.#buttons.values());
    }
    const solving = this.#buttons.get('solve');
    setText(solving, this.#isAnimating ? 'Stop' : NAMES.get('solve'));
    for (const [name, element] of this.#buttons) set(element, { hidden: this.readonly && (name === 'hint' || name === 'undo') });
    if (this.#game) this.#buttons.get('undo').disabled = this.#game.done.length === 0;
  }

  async #pressed(name) {
    try {
      if (name !== 'solve') await this[name]();
      else if (this.#isAnimating) this.play();
      else await this.animateMoves();
    } catch (error) {
      if (!isAbort(error)) this.#announce(error.message);
    }
  }
}

/** Returns a sentence about a solution. */
function sentenceOf({ status, length, optimal, solvable_goals: others = [] }) {
  if (status === 'unsolvable') return `This board cannot reach its goal${others.length ? `, but ${others.join(', ')}` : ''}.`;
  if (length === null) return 'No solution was found in the time and memory that a search may take.';
  if (length === 0) return 'The board is solved.';
  return optimal ? `A shortest solution has ${moveCount(length)}.` : `A solution has ${moveCount(length)}.`;
}

/** Waits, but not after the signal. */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

if (globalThis.customElements && !customElements.get('loyd-board')) customElements.define('loyd-board', LoydBoard);
