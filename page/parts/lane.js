// One search of Look inside: its tree or layers, the node in question, the events of the step, its pseudocode and its lists.
import { ALGORITHMS, BLIND, HEURISTICS, nameOf } from '../puzzle/choices.js';
import { doubledManhattan } from '../puzzle/matrix.js';
import { describe, pseudocodeOf, roleOf } from '../puzzle/pseudocode.js';
import { neighbourOf, openList } from '../puzzle/trace.js';
import { BoardView } from './board.js';
import { barTable } from './chart.js';
import { button, facts, segments } from './controls.js';
import { fill, h } from './dom.js';
import { labelled, select } from './fields.js';
import { Layers } from './layers.js';
import { count, plural } from './numbers.js';
import { Tree, outlined, seriesIn } from './tree.js';

const OPEN_ROWS = 8;
const WEIGHTS = ['1.5', '2', '3', '5', '10'];
const WORDS = { open: 'open', done: 'closed', now: 'being expanded', pruned: 'cut', end: 'the end of the search' };

export class Lane {
  /** `on` has `change()`, after another choice of the algorithm or the heuristic, and `remove()`. */
  constructor(choices, on) {
    Object.assign(this, { algorithm: 'astar', heuristic: 'manhattan', weight: '2', matrix: '' }, choices, { on, selected: null });
    this.view = new BoardView({ label: 'Board of the node' });
    this.drawings = { tree: new Tree((id) => this.select(id)), layers: new Layers((id) => this.select(id)) };
    this.build();
  }

  build() {
    this.title = h('h2', {});
    this.fields = h('div', { class: 'stack fields-line' });
    this.facts = facts([['Expanded', ''], ['Generated', ''], ['Open', ''], ['Duplicates', ''], ['Cut', '']]);
    this.nodeFacts = facts([['g so far', ''], ['h to go', ''], ['f decides', '']]);
    this.nodeState = h('p', { class: 'small muted' });
    this.follow = button('Follow the search', () => this.select(null), 'plain');
    this.rounds = h('div', {});
    this.drawn = h('div', { onkeydown: (event) => this.key(event) });
    this.legend = h('p', { class: 'key' });
    this.events = h('ol', { class: 'events' });
    this.code = h('ol', { class: 'code', 'aria-label': 'Pseudocode' });
    this.lists = h('section', { class: 'stack' });
    this.notices = h('div', { role: 'status', class: 'stack' });
    this.choice = h('div', {});
    this.removal = button('Remove', () => this.on.remove(), 'plain');
    const left = h('div', { class: 'panel stack' }, this.facts.element, this.rounds, this.drawn, this.legend, this.notices);
    const right = h('div', { class: 'stack' }, h('div', { class: 'pair' }, this.view.element, h('div', { class: 'stack' }, this.nodeFacts.element, this.nodeState, this.follow)),
      h('section', { class: 'stack' }, h('h3', {}, 'This step'), this.events), h('section', { class: 'stack' }, h('h3', {}, 'Pseudocode'), this.code), this.lists);
    this.element = h('section', { class: 'lane' }, h('div', { class: 'lane-in' }, h('div', { class: 'lane-fields' }, this.title, this.fields, this.choice, this.removal), left, right));
    this.choosePicture(this.picture);
  }

  /** Shows the tree or the layers. */
  choosePicture(choice) {
    const picture = Object.hasOwn(this.drawings, choice) ? choice : 'tree';
    this.picture = picture;
    fill(this.drawn, this.drawings[picture].element);
    fill(this.choice, segments('Picture', [['tree', 'Tree'], ['layers', 'Layers']], picture, (other) => { this.choosePicture(other); this.on.change(false); }));
    if (this.state) this.draw();
  }

  get isBlind() {
    return BLIND.has(this.algorithm);
  }

  get name() {
    return this.file ?? nameOf(this.request());
  }

  /** Returns the choices for a request to the engine. */
  request() {
    const guide = this.isBlind ? {} : this.heuristic === 'matrix' ? { matrix: this.matrix } : { heuristic: this.heuristic };
    return { algorithm: this.algorithm, ...guide, ...(this.algorithm === 'wastar' && { weight: Number(this.weight) }) };
  }

  /** Returns the choices for the address, except for defaults. */
  link() {
    const { algorithm, heuristic, weight, matrix } = this.request();
    return { algorithm, heuristic: heuristic === 'manhattan' ? null : heuristic ?? (matrix && 'matrix'), weight, matrix, picture: this.picture === 'tree' ? null : this.picture };
  }

  drawFields(board, isOnly) {
    this.removal.hidden = isOnly;
    this.removal.ariaLabel = `Remove ${this.name}`;
    const change = (name) => (value) => { Object.assign(this, { [name]: value, file: null }); this.on.change(true); };
    fill(this.fields, h('div', { class: 'fields' }, select('Algorithm', ALGORITHMS, this.algorithm, change('algorithm')),
      this.isBlind ? null : select('Heuristic', [...HEURISTICS.map((name) => [name, name]), ['matrix', 'your own matrix']], this.heuristic, change('heuristic')),
      this.algorithm === 'wastar' ? select('Weight', WEIGHTS.map((weight) => [weight, `${weight} × h`]), this.weight, change('weight')) : null),
    !this.isBlind && this.heuristic === 'matrix' ? this.matrixField(board) : null);
  }

  matrixField(board) {
    this.matrix ||= doubledManhattan(board);
    const area = h('textarea', { class: 'mono', rows: 5, spellcheck: 'false', onchange: ({ target }) => { this.matrix = target.value; this.on.change(true); } });
    area.value = this.matrix;
    return labelled('Matrix: one row per cell of a tile, one column per goal cell. Initially twice the Manhattan distance', area);
  }

  /** Loads a trace of a search on a board; null while there is none. */
  load(trace, board, goal) {
    Object.assign(this, { trace, board, goal, selected: null, state: null });
    this.drawings.tree.zoom = 1;
    this.title.textContent = this.name;
    // The fields above show what it is.
    this.title.classList.toggle('vh', !this.file);
    this.element.ariaLabel = this.name;
    this.element.classList.toggle('no-steps', !trace?.steps.length);
    this.view.element.hidden = false;
    this.view.show(board, goal);
    fill(this.notices);
  }

  get length() {
    return this.trace?.steps.length ?? 0;
  }

  /** Number of events of a step. */
  eventsOf(step) {
    return this.trace?.steps[step - 1]?.events.length ?? 0;
  }

  /** Shows the search after a step, the step up to an event. */
  show(step, part) {
    if (this.length === 0) return;
    this.step = Math.min(step, this.length);
    // A search that is over stays at its end.
    this.part = step > this.length ? Infinity : part;
    this.state = this.trace.after(this.step, this.part);
    if (!this.state.nodes.has(this.selected)) this.selected = null;
    this.draw();
  }

  get isOver() {
    return this.length > 0 && this.step === this.length && this.part >= this.eventsOf(this.step);
  }

  draw() {
    const { state, trace } = this;
    const levels = trace.levels;
    this.facts.update([state.expanded, state.generated, state.open.size, state.duplicates, state.pruned].map(count));
    const seriesOf = seriesIn(levels);
    const series = (node) => seriesOf(trace.hasF ? node.f ?? 0 : node.g);
    const drawing = this.drawings[this.picture];
    if (this.picture === 'tree') drawing.show(state, { levels: trace.hasF ? levels : [], sum: this.sum(), selected: this.selected });
    else drawing.show(state, { series, selected: this.selected, width: this.board.width });
    this.showRounds();
    this.showKey(levels);
    this.showNode();
    this.showEvents();
    this.showLists(series);
  }

  select(id) {
    this.selected = id === this.state?.current ? null : id;
    this.draw();
  }

  key(event) {
    if (event.target.closest('button') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return this.select(null);
    if (!/^Arrow/.test(event.key)) return;
    event.preventDefault();
    const next = neighbourOf(this.state.nodes, this.selected ?? this.state.current, event.key);
    if (next !== null) this.select(next);
  }

  /** Shows the finished and the current iteration of a search with bounds; a click goes to the end of one. */
  showRounds() {
    const { state: { iterations }, trace: { iterations: all } } = this;
    const chip = ({ bound }, place) => {
      const known = iterations[place];
      return button(known ? `${bound}: ${count(known.expanded)}` : String(bound), () => this.on.go(all[place].last), `chip-like${place === iterations.length - 1 ? ' on' : ''}`,
        { 'aria-label': `Bound ${bound}${known ? `, ${plural(known.expanded, 'node')} expanded` : ''}`, 'aria-current': place === iterations.length - 1 ? 'step' : null });
    };
    fill(this.rounds, all.length > 1 ? h('div', { class: 'row' }, h('span', { class: 'small muted' }, 'Bounds, with the nodes expanded'), all.map(chip)) : null);
  }

  /** Shows the legend of the nodes and the bands. */
  showKey(levels) {
    const entry = (kind, text) => h('span', {}, h('i', { class: kind }), text);
    const boxes = { now: 'expanding', done: 'closed', open: 'open' };
    fill(this.legend, Object.entries(boxes).map(([name, text]) => entry(`k-${name}`, text)),
      this.trace.hasF ? outlined(levels).map(({ level, series }) => entry(`band-of l${series}`, `f ≤ ${level}`)) : null);
  }

  /** Returns a function that formats f as a sum of g and h, for the second line of a node. */
  sum() {
    if (this.algorithm === 'wastar') return ({ g, h: left }) => `${g} + ${this.weight}·${left}`;
    return this.algorithm === 'greedy' ? ({ g }) => `g ${g}` : ({ g, h: left }) => `${g} + ${left}`;
  }

  /** Shows the selected node, or the one being expanded. */
  showNode() {
    const { nodes, current } = this.state;
    const node = nodes.get(this.selected ?? current);
    const cells = node.board?.map((tile) => (tile === '*' ? null : tile));
    this.view.element.hidden = !cells;
    if (cells) this.view.show({ ...this.board, cells }, this.goal, { ms: 220, marks: movedIn(cells, node.move, this.board.width) });
    this.nodeFacts.update([node.g, this.trace.hasF ? node.h ?? '–' : '–', node.f ?? '–'].map(String));
    this.nodeState.textContent = `${this.selected === null ? 'The node of this step' : 'The selected node'}: ${WORDS[node.state]}.`;
    this.follow.hidden = this.selected === null;
  }

  showEvents() {
    const { events } = this.trace.steps[this.step - 1];
    const shown = events.slice(0, Math.min(this.part, events.length));
    const last = shown.at(-1);
    const isPart = shown.length < events.length;
    fill(this.events, shown.map((event) => {
      const [move, words] = describe(event, this.state.nodes, this.trace.hasF);
      return h('li', { 'aria-current': isPart && event === last ? 'step' : null }, h('b', { class: 'mono' }, move), ' ', words);
    }));
    const roles = new Set(shown.map(roleOf));
    const lines = pseudocodeOf(this.trace.algorithm);
    this.code.parentElement.hidden = lines.length === 0;
    fill(this.code, lines.map(([role, text]) => h('li', { class: roles.has(role) ? 'ran' : null, 'aria-current': role === roleOf(last) && isPart ? 'step' : null }, text)));
  }

  showLists(series) {
    const { state, trace, step } = this;
    const bound = state.iterations.at(-1)?.bound ?? null;
    const next = trace.steps[step]?.node.id;
    const open = openList(state, next, OPEN_ROWS);
    const more = state.open.size - open.length;
    const cell = (value) => h('td', {}, value ?? '–');
    const row = (node) => h('tr', {}, cell(node.f ?? '–'), cell(node.g), cell(trace.hasF ? node.h : null), h('td', { class: 'mono' }, node.board ? compact(node.board, this.board.width) : node.id),
      h('td', { class: 'n' }, node.id === next ? h('span', { class: 'tag' }, 'next') : null));
    const title = bound === null ? `Open list, ${plural(state.open.size, 'board')}` : `Bound ${bound}: waiting on the path`;
    const byLevel = [...state.levels].sort(([a], [b]) => a - b);
    fill(this.lists,
      h('table', { class: 'open-list' }, h('caption', { class: 'cap' }, title),
        h('thead', {}, h('tr', {}, ['f', 'g', 'h', 'Board'].map((text) => h('th', { scope: 'col' }, text)), h('td', {}))),
        h('tbody', {}, open.map(row))),
      open.length ? null : h('p', { class: 'small muted' }, bound === null ? 'Nothing is left to expand.' : 'Nothing else: the other moves would exceed the bound.'),
      more > 0 ? h('p', { class: 'small muted' }, `And ${count(more)} more.`) : null,
      barTable(`Expanded so far, by ${trace.hasF ? 'f: the contours' : 'moves so far: the layers'}`, byLevel.map(([level, number]) => [String(level), number, series({ f: level, g: level })]), { isLog: false, heads: ['f', 'Nodes'] }));
  }
}

/** Returns the marks of the tile that moved last. */
function movedIn(cells, move, width) {
  if (!move) return {};
  const last = move.at(-1);
  const from = { u: width, d: -width, l: 1, r: -1 }[last];
  return { moved: cells[cells.indexOf(0) + from], arrow: last };
}

function compact(cells, width) {
  const words = cells.map((tile) => (tile === 0 ? '_' : tile));
  const rows = Array.from({ length: cells.length / width }, (_, row) => words.slice(row * width, (row + 1) * width));
  return rows.map((row) => row.join(cells.length > 10 ? ' ' : '')).join('/');
}
