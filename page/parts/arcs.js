// The tiles in reading order, with an arc over each pair that stands in the wrong order.
import { h } from './dom.js';
import { plural } from './numbers.js';

const [BASE, LABEL] = [150, 29];
/** Many tiles stand closer together, so that their numbers stay readable. */
const CLOSE = 9;
/** Beyond this the numbers would be too small to read, and beyond the second the arcs too many to draw. */
const MOST_NUMBERS = 24;
const MOST_ARCS = 3000;

export function arcs(tiles, pairs, mend) {
  const [step, side] = tiles.length > CLOSE ? [36, 34] : [72, 48];
  const places = new Map(tiles.map((tile, place) => [tile, place]));
  const middle = (place) => side / 2 + 4 + place * step;
  const width = (tiles.length - 1) * step + side + 8;
  const isFine = tiles.length > MOST_NUMBERS;
  const path = ([a, b]) => {
    const [from, to] = [middle(places.get(a)), middle(places.get(b))];
    const height = 40 + (150 * (places.get(b) - places.get(a))) / tiles.length;
    return `M${from} ${BASE - 6}C${from} ${BASE - height} ${to} ${BASE - height} ${to} ${BASE - 6}`;
  };
  const isCut = ([a, b]) => mend?.includes(a) && mend.includes(b);
  const label = `The tiles in reading order, ${isFine ? '' : `${tiles.join(' ')}, `}with an arc over each of the ${plural(pairs.length, 'pair')} in the wrong order.`;
  const drawn = pairs.filter((pair) => !isCut(pair)).slice(0, MOST_ARCS);
  return h('svg', { class: `arcs${isFine ? ' fine' : ''}`, viewBox: `0 0 ${width} ${mend && !isFine ? 232 : 204}`, role: 'img', 'aria-label': label },
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
