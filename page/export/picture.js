// Pictures of boards: the page's colours, PNG and GIF files.
import { readColours } from '../parts/colours.js';
import { h } from '../parts/dom.js';
import { drawBoard, drawTile, isHome, layoutOf, sideFor, slidesOf } from './drawing.js';
import { gifParts, mixedColours, nearestOf } from './gif.js';

const [PNG_PX, MOVING_PX] = [1000, 480];
const ROWS = [1, 2, 3, 4, 5];
/** Delays of the frames in hundredths of a second: of the first and the last board, and of the parts of a slide. */
const [FIRST, LAST, PARTS] = [100, 250, [3, 3, 18]];
/** Time after which the making of a file lets the page work, in milliseconds. */
const SLICE_MS = 12;

/** Returns the colours of the current theme for drawings, as hexadecimal numbers. */
function pageColours() {
  const tiles = (name) => ROWS.map((row) => [name, `tile r${row}`]);
  const read = readColours([['page'], ['sunken'], ['tile-away', 'tile'], ['tile-away-ink', 'tile'], ['ink'], ...tiles('tint'), ...tiles('foot')]);
  const { context } = canvasOf(1, 1);
  const [page, tray, away, awayInk, ink, ...rest] = read.map((colour) => hexadecimal(context, colour));
  return { page, tray, away, awayInk, ink, rows: rest.slice(0, ROWS.length), feet: rest.slice(ROWS.length) };
}

/** Converts a colour in any form of CSS with a canvas. */
function hexadecimal(context, colour) {
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return `#${[...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function canvasOf(width, height) {
  const canvas = h('canvas', { width, height });
  return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
}

/** A pen that draws on a canvas. */
const pen = (context) => ({
  box(x, y, width, height, radius, fill) {
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
  },
  text(text, x, y, size, weight, fill) {
    Object.assign(context, { font: `${weight} ${size}px system-ui, sans-serif`, textAlign: 'center', fillStyle: fill });
    context.fillText(text, x, y);
  },
});

/** Returns the layout of an animation. */
export const movingLayout = (board, goal) => layoutOf(board, goal, pageColours(), sideFor(board, MOVING_PX));

/** Returns a PNG file of a board. */
export function png(board, goal) {
  const layout = layoutOf(board, goal, pageColours(), sideFor(board, PNG_PX));
  const { canvas, context } = canvasOf(layout.width, layout.height);
  drawBoard(pen(context), layout, board);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}

/**
 * Returns an animated GIF file of a solution. `onProgress(part)` is called with the part that is done, from 0 to 1, and
 * stops the work by returning false; the result is then null.
 */
export async function gif(board, moves, layout, onProgress) {
  const { width, height, colours } = layout;
  const palette = mixedColours(pairsOf(colours));
  const frames = framesOf(board, moves, layout, nearestOf(palette));
  const parts = [];
  let [done, due] = [0, performance.now() + SLICE_MS];
  const counted = (function* count() {
    for (const frame of frames) {
      done += 1;
      yield frame;
    }
  }());
  for (const part of gifParts({ width, height, colours: palette }, counted)) {
    parts.push(part);
    if (performance.now() < due) continue;
    if (onProgress(done / (1 + moves.length * PARTS.length)) === false) return null;
    await new Promise((resolve) => { setTimeout(resolve); });
    due = performance.now() + SLICE_MS;
  }
  return new Blob(parts, { type: 'image/gif' });
}

/** Returns the pairs of colours that meet in a picture: [below, above, number of mixtures]. */
function pairsOf(colours) {
  const parse = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const { page, tray, away, awayInk, ink, rows, feet } = colours;
  const edges = [away, ...rows, ...feet].map((colour) => [tray, colour, 5]);
  const texts = [[away, awayInk, 12], ...rows.map((colour) => [colour, ink, 12])];
  return [...texts, ...edges, ...feet.map((foot) => [foot, away, 5]), [page, tray, 3]].map(([below, above, steps]) => [parse(below), parse(above), steps]);
}

/** Yields the first board, then for each move the parts of the picture that change. */
function* framesOf(board, moves, layout, indexOf) {
  const { context } = canvasOf(layout.width, layout.height);
  const draw = pen(context);
  const grab = (x, y, width, height, delay) => {
    const { data } = context.getImageData(x, y, width, height);
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => indexOf(data[4 * at], data[4 * at + 1], data[4 * at + 2]));
    return { x, y, width, height, pixels, delay };
  };
  draw.box(0, 0, layout.width, layout.height, 0, layout.colours.page);
  drawBoard(draw, layout, board);
  yield grab(0, 0, layout.width, layout.height, FIRST);
  for (const [index, { tile, from, to }] of slidesOf(board, moves).entries()) {
    const [[x, y], [toX, toY]] = [layout.place(from), layout.place(to)];
    const area = [Math.min(x, toX), Math.min(y, toY), Math.abs(toX - x) + layout.side, Math.abs(toY - y) + layout.side];
    for (const [step, delay] of PARTS.entries()) {
      const part = (step + 1) / PARTS.length;
      draw.box(...area, 0, layout.colours.tray);
      drawTile(draw, layout, tile, part === 1 && isHome(layout, tile, to), [x + (toX - x) * part, y + (toY - y) * part]);
      yield grab(...area, part === 1 && index === moves.length - 1 ? LAST : delay);
    }
  }
}
