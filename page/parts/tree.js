// The tree of a search, as far as it has grown.
import { toTileLetters } from '../puzzle/moves.js';
import { layout, wayTo } from '../puzzle/trace.js';
import { fill, h } from './dom.js';

const [HALF, HEIGHT, TOP] = [42, 42, 24];
/** A larger tree is cut down to the way to the current node and what hangs on it. */
const MOST_NODES = 260;

export class Tree {
  constructor() {
    this.svg = h('svg', { class: 'tree', role: 'img' });
    this.element = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Search tree, scrolls', tabindex: 0 }, this.svg);
    this.cut = h('p', { class: 'small muted' });
  }

  show({ nodes, current }, levels, sum) {
    const way = new Set(wayTo(nodes, current));
    const isCut = nodes.size > MOST_NODES;
    const ids = [...nodes.keys()].filter((id) => !isCut || way.has(id) || way.has(nodes.get(id).parent));
    const { places, width, height } = layout(nodes, ids);
    const [shownWidth, shownHeight] = [Math.max(width, 120), height + TOP];
    this.svg.setAttribute('viewBox', `0 0 ${shownWidth} ${shownHeight}`);
    this.svg.setAttribute('width', shownWidth);
    this.svg.setAttribute('height', shownHeight);
    this.svg.setAttribute('aria-label', `Search tree with ${nodes.size} nodes; the node being expanded is ${way.size - 1} moves deep.`);
    fill(this.svg, ids.map((id) => this.edge(nodes.get(id), places, way)), ids.map((id) => this.node(nodes.get(id), places.get(id), levels, sum)));
    this.cut.textContent = isCut ? `The tree has ${nodes.size} nodes; only the way to the current one is drawn, with what hangs on it.` : '';
    this.keepInView(places.get(current));
  }

  edge(node, places, way) {
    const [from, to] = [places.get(node.parent), places.get(node.id)];
    if (!from) return null;
    const [y, end] = [from.y + TOP + HEIGHT, to.y + TOP];
    const isOnWay = way.has(node.id);
    return h('path', { class: `edge${isOnWay ? ' path' : ''}`, d: `M${from.x} ${y}C${from.x} ${y + 20} ${to.x} ${y + 4} ${to.x} ${end}` });
  }

  node(node, { x, y }, levels, sum) {
    const { id, move, g, h: left, f, state } = node;
    const top = y + TOP;
    const level = levels.indexOf(f ?? g);
    return h('g', { class: state, 'data-id': id },
      h('rect', { x: x - HALF, y: top, width: 2 * HALF, height: HEIGHT, rx: 9 }),
      level < 0 ? null : h('rect', { class: `level s${(level % 5) + 1}`, x: x - HALF + 4, y: top + 9, width: 4, height: HEIGHT - 18, rx: 2 }),
      move ? h('text', { class: 'mv', x, y: top - 6 }, toTileLetters(move)) : null,
      h('text', { class: 'f', x, y: top + (left === undefined ? 26 : 18) }, f ?? g),
      left === undefined ? null : h('text', { x, y: top + 35 }, sum(node)));
  }

  keepInView(place) {
    if (!place) return;
    const { clientWidth, clientHeight } = this.element;
    this.element.scrollLeft = place.x - clientWidth / 2;
    this.element.scrollTop = place.y + TOP - clientHeight / 2;
  }
}
