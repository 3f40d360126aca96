// The tree of a search. A click or the arrow keys select a node.
import { toTileLetters } from '../puzzle/moves.js';
import { pathTo } from '../puzzle/trace.js';
import { layout } from '../puzzle/tree_layout.js';
import { iconButton } from './controls.js';
import { fill, h } from './dom.js';

const [HALF, HEIGHT, TOP] = [42, 42, 40];
/** Distance of outlines from the nodes and from each other, and maximum number of outlines. */
const [ROOM, MAX_OUTLINES] = [5, 5];
/** Of trees with more nodes, only those of the current iteration, or near the current path, are drawn. */
const MAX_NODES = 260;
/** Longest path that is drawn: its last nodes. */
const MAX_PATH = 200;
const [ZOOM, LEAST_ZOOM, MOST_ZOOM] = [1.25, 0.1, 2];

export class Tree {
  /** `onSelect(id)` is called when the reader selects a node. */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.zoom = 1;
    this.svg = h('svg', { class: 'tree', role: 'img', onclick: ({ target }) => this.clicked(target) });
    this.scroll = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Search tree. Arrow keys select a node', tabindex: 0 }, this.svg);
    this.cut = h('p', { class: 'small muted' });
    this.element = h('div', { class: 'stack' }, this.scroll, this.cut,
      h('div', { class: 'zoom' }, iconButton('plus', 'Enlarge', () => this.scale(this.zoom * ZOOM), 'solid'), iconButton('minus', 'Shrink', () => this.scale(this.zoom / ZOOM), 'solid'),
        iconButton('fit', 'Fit the tree', () => this.fit(), 'solid')));
  }

  /** Draws the state of a search. `sum(node)` is the second line of a node. */
  show(state, { levels, sum, selected }) {
    const { nodes, current } = state;
    const path = new Set(pathTo(nodes, selected ?? current).slice(0, MAX_PATH));
    const { ids, words } = shownNodes(state, path);
    const { places, width, height } = layout(nodes, ids);
    [this.width, this.height] = [Math.max(width, 120), height + TOP];
    this.ids = new Map(ids.map((id) => [String(id), id]));
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute('aria-label', `Search tree with ${nodes.size} nodes; the path to the ${selected ? 'selected node' : 'node being expanded'} has ${path.size - 1} moves.`);
    const shown = ids.map((id) => nodes.get(id));
    fill(this.svg, this.bands(shown, places, levels), shown.map((node) => this.edge(node, places, path)),
      shown.map((node) => this.node(node, places.get(node.id), sum, node.id === selected)));
    this.cut.textContent = words;
    this.place = places.get(selected ?? current);
    this.scale(this.zoom);
  }

  /** Draws a band around all nodes up to each level, the outermost first; the inner ones lie on it. */
  bands(shown, places, levels) {
    const drawn = [];
    let known = 0;
    for (const { level, series } of outlined(levels)) {
      const nodes = shown.filter(({ f }) => f <= level);
      if (nodes.length === known) continue;
      known = nodes.length;
      const inside = new Set(nodes.map(({ id }) => id));
      const width = 2 * ROOM * (drawn.length + 1) + 4;
      const edges = nodes.filter(({ parent }) => inside.has(parent)).map((node) => line(places, node)).join('');
      // Opaque shapes in a group that is transparent as a whole: where they overlap, the band has the same colour.
      drawn.push(h('g', { class: `band l${series}` },
        h('path', { d: nodes.map(({ id }) => boxAt(places.get(id))).join(''), 'stroke-width': width }), h('path', { class: 'line', d: edges, 'stroke-width': width })));
    }
    return drawn.reverse();
  }

  edge(node, places, path) {
    if (!places.has(node.parent)) return null;
    return h('path', { class: `edge${path.has(node.id) ? ' path' : ''}`, d: line(places, node) });
  }

  node(node, { x, y }, sum, isSelected) {
    const { id, move, g, h: left, f, state } = node;
    const top = y + TOP;
    return h('g', { class: `node ${state}${isSelected ? ' selected' : ''}`, 'data-id': id },
      h('rect', { x: x - HALF, y: top, width: 2 * HALF, height: HEIGHT, rx: 9 }),
      move ? h('text', { class: 'mv', x, y: top - 6 }, toTileLetters(move)) : null,
      h('text', { class: 'f', x, y: top + (left === undefined ? 26 : 18) }, f ?? g),
      left === undefined ? null : h('text', { x, y: top + 35 }, sum(node)));
  }

  clicked(target) {
    const id = this.ids.get(target.closest('[data-id]')?.dataset.id);
    if (id !== undefined) this.onSelect(id);
  }

  scale(zoom) {
    this.zoom = Math.max(LEAST_ZOOM, Math.min(zoom, MOST_ZOOM));
    this.svg.setAttribute('width', this.width * this.zoom);
    this.svg.setAttribute('height', this.height * this.zoom);
    this.keepInView();
  }

  fit() {
    this.scale(Math.min(1, this.scroll.clientWidth / this.width, this.scroll.clientHeight / this.height));
  }

  /** Scrolls just as far as necessary to show the node in question with its parent and children. */
  keepInView() {
    if (!this.place) return;
    const [x, y] = [this.place.x * this.zoom, (this.place.y + TOP + HEIGHT / 2) * this.zoom];
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.scroll;
    const near = (at, middle, size, room) => Math.max(middle + room - size, Math.min(at, middle - room));
    this.scroll.scrollLeft = near(scrollLeft, x, clientWidth, Math.min(clientWidth / 2, 3.5 * HALF * this.zoom));
    this.scroll.scrollTop = near(scrollTop, y, clientHeight, Math.min(clientHeight / 2, 3.2 * HEIGHT * this.zoom));
  }
}

/** Returns the ids of the nodes to draw, and a sentence if they are not all. */
function shownNodes({ nodes, iterations }, path) {
  const all = [...nodes.keys()];
  if (all.length <= MAX_NODES) return { ids: all, words: '' };
  const latest = all.filter((id) => nodes.get(id).iteration === iterations.length);
  if (latest.length <= MAX_NODES) return { ids: latest, words: 'Only the last iteration is drawn.' };
  const near = latest.filter((id) => path.has(id) || path.has(nodes.get(id).parent));
  return { ids: near, words: `The tree has ${all.length.toLocaleString('en')} nodes; only one path and its children are drawn.` };
}

const boxAt = ({ x, y }) => `M${x - HALF} ${y + TOP}h${2 * HALF}v${HEIGHT}h${-2 * HALF}z`;

function line(places, { id, parent }) {
  const [from, to] = [places.get(parent), places.get(id)];
  const [y, end] = [from.y + TOP + HEIGHT, to.y + TOP];
  return `M${from.x} ${y}C${from.x} ${y + 20} ${to.x} ${y + 4} ${to.x} ${end}`;
}

/** Returns the levels with a band, [{level, series}]: all of them, or a selection that includes the first and the last. */
export function outlined(levels) {
  const part = Math.max((levels.length - 1) / (MAX_OUTLINES - 1), 1);
  const some = levels.length <= MAX_OUTLINES ? levels : Array.from({ length: MAX_OUTLINES }, (_, place) => levels[Math.round(place * part)]);
  return some.map((level, place) => ({ level, series: place + 1 }));
}

/** Returns a function from a level to its colour: that of the innermost band around it. */
export function seriesIn(levels) {
  const bands = outlined(levels);
  return (level) => (bands.find((band) => level <= band.level) ?? { series: MAX_OUTLINES }).series;
}
