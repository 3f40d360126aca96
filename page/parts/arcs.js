// Pairs of tiles in the wrong order: the tiles in reading order, with an arc over each pair.
import { countChart } from './chart.js';
import { h } from './dom.js';
import { count, plural } from './numbers.js';

const [BASE, LABEL] = [150, 29];
/** Above this number tiles are drawn closer together, so that their numbers stay readable. */
const CLOSE = 9;
/** Above these numbers of tiles, numbers would be too small to read, and arcs too many. */
const MAX_NUMBERS = 24;
const MAX_TILES = 63;

/** Draws the pairs as arcs, or for many tiles as one bar per tile. `pictureName` returns which. */
export const inversions = (tiles, pairs, mend) => (tiles.length > MAX_TILES ? bars(tiles, pairs, mend) : arcs(tiles, pairs, mend));

export const pictureName = (tiles) => (tiles.length > MAX_TILES ? 'the bars' : 'the arcs');

/** Draws a bar for each tile in reading order: the number of later tiles that belong before it. */
function bars(tiles, pairs, mend) {
  const counts = new Map(tiles.map((tile) => [tile, 0]));
  for (const [first] of pairs) counts.set(first, counts.get(first) + 1);
  const [tile, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  const label = `One bar per tile, in reading order: the number of later tiles that belong before it. The highest is ${most}, for tile ${tile}; the sum is ${count(pairs.length)}.`;
  return h('figure', { class: 'stack' }, countChart([...counts.values()], tiles.flatMap((one, place) => (mend?.includes(one) ? [place] : [])), label),
    h('figcaption', { class: 'small muted' }, `One bar per tile, in reading order: the number of later tiles that belong before it. The highest is ${most}, for tile ${tile}. There are too many pairs to draw them as arcs.`));
}

function arcs(tiles, pairs, mend) {
  const [step, side] = tiles.length > CLOSE ? [36, 34] : [72, 48];
  const places = new Map(tiles.map((tile, place) => [tile, place]));
  const middle = (place) => side / 2 + 4 + place * step;
  const width = (tiles.length - 1) * step + side + 8;
  const isFine = tiles.length > MAX_NUMBERS;
  const heightOf = ([a, b]) => 40 + (150 * (places.get(b) - places.get(a))) / tiles.length;
  const path = ([a, b]) => {
    const [from, to] = [middle(places.get(a)), middle(places.get(b))];
    const height = heightOf([a, b]);
    return `M${from} ${BASE - 6}C${from} ${BASE - height} ${to} ${BASE - height} ${to} ${BASE - 6}`;
  };
  const isCut = ([a, b]) => mend?.includes(a) && mend.includes(b);
  const label = `The tiles in reading order, ${isFine ? '' : `${tiles.join(' ')}, `}with an arc over each of the ${plural(pairs.length, 'pair')} in the wrong order.`;
  const drawn = pairs.filter((pair) => !isCut(pair));
  // A cubic curve rises to three quarters of the height of its control points.
  const top = BASE - 8 - 0.75 * Math.max(40, ...pairs.map(heightOf));
  return h('svg', { class: `arcs${isFine ? ' fine' : ''}`, viewBox: `0 ${top} ${width} ${(mend && !isFine ? 232 : 204) - top}`, role: 'img', 'aria-label': label },
    h('path', { d: drawn.map(path).join('') }),
    pairs.filter(isCut).map((pair) => h('path', { class: 'cut', d: path(pair) })),
    tiles.map((tile, place) => box(tile, { x: middle(place), side }, mend?.includes(tile), isFine)),
    mend && !isFine ? caption(mend.map((tile) => middle(places.get(tile))), width) : null);
}

function box(tile, { x, side }, isOn, isFine) {
  const rect = h('rect', { class: isOn ? 'on' : null, x: x - side / 2, y: BASE, width: side, height: 44, rx: side / 6 });
  return isFine ? rect : [rect, h('text', { x, y: BASE + LABEL }, tile)];
}

function caption([a, b], width) {
  const x = Math.max(80, Math.min((a + b) / 2, width - 80));
  return h('text', { class: 'cap', x, y: 222 }, 'swap these two');
}
