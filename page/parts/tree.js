// The tree of a search.
import { toTileLetters } from '../puzzle/moves.js';
import { layout, pathTo } from '../puzzle/trace.js';
import { fill, h } from './dom.js';

const [HALF, HEIGHT, TOP] = [42, 42, 40];
/** Distance of outlines from the nodes and from each other, and maximum number of outlines. */
const [ROOM, MAX_OUTLINES] = [5, 5];
/** Of trees with more nodes, only the path to the current node and its children are drawn. */
const MAX_NODES = 260;

export class Tree {
  constructor() {
    this.svg = h('svg', { class: 'tree', role: 'img' });
    this.element = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Search tree, scrolls', tabindex: 0 }, this.svg);
    this.cut = h('p', { class: 'small muted' });
  }

  show({ nodes, current }, levels, sum) {
    const path = new Set(pathTo(nodes, current));
    const isCut = nodes.size > MAX_NODES;
    const ids = [...nodes.keys()].filter((id) => !isCut || path.has(id) || path.has(nodes.get(id).parent));
    const { places, width, height } = layout(nodes, ids);
    const [shownWidth, shownHeight] = [Math.max(width, 120), height + TOP];
    this.svg.setAttribute('viewBox', `0 0 ${shownWidth} ${shownHeight}`);
    this.svg.setAttribute('width', shownWidth);
    this.svg.setAttribute('height', shownHeight);
    this.svg.setAttribute('aria-label', `Search tree with ${nodes.size} nodes; the node being expanded is ${path.size - 1} moves deep.`);
    const shown = ids.map((id) => nodes.get(id));
    fill(this.svg, this.contours(shown, places, levels), shown.map((node) => this.edge(node, places, path)), shown.map((node) => this.node(node, places.get(node.id), sum)));
    this.cut.textContent = isCut ? `The tree has ${nodes.size} nodes; only the path to the current one and its children are drawn.` : '';
    this.keepInView(places.get(current));
  }

  /** Draws an outline around all nodes up to each level, the outermost first, so that it lies behind the others. */
  contours(shown, places, levels) {
    const drawn = [];
    let known = 0;
    for (const { level, series } of outlined(levels)) {
      const nodes = shown.filter(({ f }) => f <= level);
      if (nodes.length === known) continue;
      known = nodes.length;
      const inside = new Set(nodes.map(({ id }) => id));
      const shapes = [['', nodes.map(({ id }) => boxAt(places.get(id))).join('')],
        [' line', nodes.filter(({ parent }) => inside.has(parent)).map((node) => line(places, node)).join('')]];
      const room = 2 * ROOM * (drawn.length + 1);
      const paths = (kind, width) => shapes.map(([more, d]) => h('path', { class: `contour${kind}${more}`, d, 'stroke-width': width }));
      drawn.push([...paths(` l${series}`, room + 4), ...paths(' in', room)]);
    }
    return drawn.reverse().flat();
  }

  edge(node, places, path) {
    if (!places.has(node.parent)) return null;
    return h('path', { class: `edge${path.has(node.id) ? ' path' : ''}`, d: line(places, node) });
  }

  node(node, { x, y }, sum) {
    const { id, move, g, h: left, f, state } = node;
    const top = y + TOP;
    return h('g', { class: state, 'data-id': id },
      h('rect', { x: x - HALF, y: top, width: 2 * HALF, height: HEIGHT, rx: 9 }),
      move ? h('text', { class: 'mv', x, y: top - 6 }, toTileLetters(move)) : null,
      h('text', { class: 'f', x, y: top + (left === undefined ? 26 : 18) }, f ?? g),
      left === undefined ? null : h('text', { x, y: top + 35 }, sum(node)));
  }

  /** Scrolls just as far as necessary to show a node with its parent and children. */
  keepInView(place) {
    if (!place) return;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.element;
    const near = (at, middle, size, room) => Math.max(middle + room - size, Math.min(at, middle - room));
    this.element.scrollLeft = near(scrollLeft, place.x, clientWidth, Math.min(clientWidth / 2, 3.5 * HALF));
    this.element.scrollTop = near(scrollTop, place.y + TOP + HEIGHT / 2, clientHeight, Math.min(clientHeight / 2, 3.2 * HEIGHT));
  }
}

const boxAt = ({ x, y }) => `M${x - HALF} ${y + TOP}h${2 * HALF}v${HEIGHT}h${-2 * HALF}z`;

function line(places, { id, parent }) {
  const [from, to] = [places.get(parent), places.get(id)];
  const [y, end] = [from.y + TOP + HEIGHT, to.y + TOP];
  return `M${from.x} ${y}C${from.x} ${y + 20} ${to.x} ${y + 4} ${to.x} ${end}`;
}

/** Returns the outlined levels, [{level, series}]: all of them, or a selection that includes the first and the last. */
export function outlined(levels) {
  const part = Math.max((levels.length - 1) / (MAX_OUTLINES - 1), 1);
  const some = levels.length <= MAX_OUTLINES ? levels : Array.from({ length: MAX_OUTLINES }, (_, place) => levels[Math.round(place * part)]);
  return some.map((level, place) => ({ level, series: place + 1 }));
}

/** Returns the colour of a level: that of the innermost outline around it. */
export const seriesOf = (level, levels) => outlined(levels).find((outline) => level <= outline.level).series;
