// The layers of a search: a row for each number of moves, with all of its nodes. A click selects a node.
import { readColours } from './colours.js';
import { h } from './dom.js';

/** Sides of a node in pixels: boards are drawn with their tiles from BOARD on. */
const [LARGEST, BOARD, SMALLEST, GAP, LABEL] = [54, 34, 5, 0.14, 34];
const SERIES = 5;
const PALETTE = ['surface', 'sunken', 'control', 'muted', 'ink', 'accent', 'good', ...Array.from({ length: SERIES }, (_, place) => `series-${place + 1}`)];

export class Layers {
  /** `onSelect(id)` is called when the reader selects a node. */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.canvas = h('canvas', { class: 'layers', role: 'img', onclick: (event) => this.clicked(event) });
    this.scroll = h('div', { class: 'scroll', role: 'region', 'aria-label': 'Layers of the search. Arrow keys select a node', tabindex: 0 }, this.canvas);
    this.element = h('div', { class: 'stack' }, this.scroll, h('p', { class: 'small muted' }, 'One row for each number of moves from the start; below them, from the goal if a search begins there too. Filled nodes are expanded.'));
    new ResizeObserver(() => this.state && this.draw()).observe(this.scroll);
  }

  /** Draws the nodes of the current iteration. `series(node)` is the colour of a node, from 1. */
  show(state, { series, selected, width }) {
    Object.assign(this, { state, series, selected, boardWidth: width });
    this.draw();
  }

  draw() {
    const rows = layersOf(this.state);
    const width = this.scroll.clientWidth;
    if (width === 0) return;
    const boxes = placed(rows, width - LABEL);
    Object.assign(this, boxes);
    const ratio = devicePixelRatio;
    this.canvas.width = width * ratio;
    this.canvas.height = boxes.height * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${boxes.height}px`;
    this.canvas.ariaLabel = `Layers: ${rows.map(({ g, nodes }) => `${nodes.length} nodes with g ${g}`).join(', ')}.`;
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const read = readColours(PALETTE.map((name) => [name]));
    const colours = Object.fromEntries(PALETTE.map((name, place) => [name, read[place]]));
    pen.font = `12px ${getComputedStyle(this.element).fontFamily}`;
    pen.textBaseline = 'middle';
    pen.fillStyle = colours.muted;
    for (const { g, y } of boxes.labels) pen.fillText(`g ${g}`, 0, y);
    for (const { node, x, y } of boxes.places) this.node(pen, colours, node, LABEL + x, y);
  }

  node(pen, colours, node, x, y) {
    const { size } = this;
    const side = size * (1 - GAP);
    const colour = { now: colours.accent, end: colours.good, pruned: colours.control }[node.state] ?? colours[`series-${this.series(node)}`];
    const isFilled = node.state === 'done' || node.state === 'now' || node.state === 'end';
    const isSelected = node.id === this.selected;
    if (size >= BOARD && node.board) this.board(pen, colours, node, { x, y, side, colour, isFilled });
    else {
      pen.fillStyle = isFilled ? colour : colours.surface;
      pen.fillRect(x, y, side, side);
    }
    if (!isFilled || isSelected || size >= BOARD) {
      pen.lineWidth = isSelected ? 3 : node.state === 'now' ? 2.5 : 1.25;
      pen.strokeStyle = isSelected ? colours.ink : colour;
      pen.setLineDash(node.state === 'open' && size >= BOARD ? [4, 3] : []);
      pen.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
      pen.setLineDash([]);
    }
  }

  board(pen, colours, { board }, { x, y, side, colour, isFilled }) {
    const columns = this.boardWidth;
    const cell = side / Math.max(columns, board.length / columns);
    pen.fillStyle = isFilled ? colours.sunken : colours.surface;
    pen.fillRect(x, y, side, side);
    pen.fillStyle = isFilled ? colour : colours.muted;
    pen.globalAlpha = isFilled ? 0.18 : 0.12;
    board.forEach((tile, at) => tile !== 0 && pen.fillRect(x + (at % columns) * cell + 0.5, y + Math.floor(at / columns) * cell + 0.5, cell - 1, cell - 1));
    pen.globalAlpha = 1;
    const { font, textAlign } = pen;
    pen.font = `${Math.round(cell * 0.7)}px ${font.replace(/^\S+ /, '')}`;
    pen.textAlign = 'center';
    pen.fillStyle = colours.ink;
    board.forEach((tile, at) => tile !== 0 && pen.fillText(tile === '*' ? '' : tile, x + ((at % columns) + 0.5) * cell, y + (Math.floor(at / columns) + 0.53) * cell));
    Object.assign(pen, { font, textAlign });
  }

  clicked({ offsetX, offsetY }) {
    const hit = this.places.find(({ x, y }) => offsetX >= LABEL + x && offsetX < LABEL + x + this.size && offsetY >= y && offsetY < y + this.size);
    if (hit) this.onSelect(hit.node.id);
  }
}

/** Returns the nodes of the current iteration by layer: [{g, nodes}]. The search from the goal has separate layers. */
export function layersOf({ nodes, iterations }) {
  const layers = new Map();
  for (const node of nodes.values()) {
    if (node.iteration !== iterations.length) continue;
    const key = node.backward ? -1 - node.g : node.g;
    if (layers.has(key)) layers.get(key).push(node);
    else layers.set(key, [node]);
  }
  const rows = [...layers].map(([key, found]) => ({ key, g: found[0].g, nodes: found }));
  // The search from the start comes first, then the one from the goal upside down, so that they meet in the middle.
  return rows.sort((a, b) => Number(a.key < 0) - Number(b.key < 0) || a.key - b.key);
}

/** Returns the places of the nodes within a width: the largest size at which the widest layer has one line, or many lines. */
export function placed(rows, width) {
  const widest = Math.max(...rows.map(({ nodes }) => nodes.length), 1);
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(width / widest)));
  const columns = Math.max(1, Math.floor(width / size));
  const [places, labels] = [[], []];
  let top = 0;
  for (const { g, nodes } of rows) {
    const lines = Math.ceil(nodes.length / columns);
    const height = Math.max(lines * size, 16);
    labels.push({ g, y: top + Math.max(Math.min(size, height) / 2, 7) });
    nodes.forEach((node, at) => places.push({ node, x: (at % columns) * size, y: top + Math.floor(at / columns) * size }));
    top += height + 2;
  }
  return { places, labels, size, height: Math.max(top, 16) };
}
