// Charts: lines over moves or time, and bars. Each has a label for screen readers.
import { h } from './dom.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [320, 120, 28, 4, 8, 18];
/** Left margin of plots whose ticks are times. */
const WIDE_LEFT = 44;

function scale(least, most, from, to) {
  const span = most - least || 1;
  return (value) => Number((from + ((value - least) / span) * (to - from)).toFixed(1));
}

function frame(label, yTicks, y, children, { left = LEFT, right = WIDTH - RIGHT, write = (tick) => tick } = {}) {
  return h('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    yTicks.map((tick) => [
      h('line', { class: 'axis', x1: left, x2: right, y1: y(tick), y2: y(tick) }),
      h('text', { x: left - 5, y: y(tick) + 3.5, 'text-anchor': 'end' }, write(tick)),
    ]), children);
}

const points = (pairs) => pairs.map((pair) => pair.join(',')).join(' ');

/** Draws the distance after each move, with bands [from, to] where moves were wasted. */
export function distanceChart(distances, bands, label) {
  const most = Math.max(...distances, 1);
  const x = scale(0, distances.length - 1, LEFT, WIDTH - RIGHT);
  const y = scale(0, most, HEIGHT - BOTTOM, TOP);
  return frame(label, [0, Math.max(...distances)], y, [
    bands.map(([from, to]) => h('rect', { class: 'lostband', x: x(from), y: TOP, width: Math.max(x(to) - x(from), 1), height: HEIGHT - BOTTOM - TOP })),
    h('polyline', { class: 'curve', points: points(distances.map((value, move) => [x(move), y(value)])) }),
    h('text', { x: LEFT, y: HEIGHT - 4 }, 'start'),
    h('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, `move ${distances.length - 1}`),
  ]);
}

/** Draws a bar for each number; those at the places in `marked` are highlighted. */
export function countChart(values, marked, label) {
  const most = Math.max(...values, 1);
  const x = scale(0, values.length, LEFT, WIDTH - RIGHT);
  const y = scale(0, most, HEIGHT - BOTTOM, TOP);
  const bars = (places) => places.map((place) => `M${x(place)} ${y(0)}V${y(Math.max(values[place], most / 60))}H${x(place + 0.8)}V${y(0)}z`).join('');
  return frame(label, [0, most], y, [
    h('path', { class: 's3', d: bars([...values.keys()].filter((place) => !marked.includes(place))) }),
    h('path', { class: 'on', d: bars(marked) }),
    h('text', { x: LEFT, y: HEIGHT - 4 }, 'first tile'), h('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, 'last tile'),
  ]);
}

/**
 * Draws the closing gap between the best solution and the lower bound. `history` is [{ms, best, bound}], with null for
 unknown values.
 */
export function gapChart(history, label, until) {
  const known = history.flatMap(({ best, bound }) => [best, bound]).filter((value) => value !== null);
  if (known.length === 0) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const right = WIDTH - 62;
  const x = scale(0, Math.max(until, 1), LEFT, right);
  const y = scale(least === most ? least - 1 : least, most, HEIGHT - BOTTOM, TOP);
  const [best, bound] = ['best', 'bound'].map((name) => steps(history, name, until, x, y));
  const both = history.filter((point) => point.best !== null && point.bound !== null);
  const between = [...steps(both, 'best', until, x, y), ...steps(both, 'bound', until, x, y).reverse()];
  const last = history.at(-1);
  const apart = last.best === null || last.bound === null || Math.abs(y(last.best) - y(last.bound)) > 12;
  return frame(label, least === most ? [most] : [least, most], y, [
    both.length ? h('polygon', { class: 'between', points: points(between) }) : null,
    h('polyline', { class: 'bound', points: points(bound) }),
    h('polyline', { class: 'incumbent', points: points(best) }),
    last.best === null ? null : h('text', { class: 'strong', x: right + 5, y: y(last.best) + 4 }, apart ? `${last.best} found` : `${last.best} proved`),
    last.bound !== null && apart ? h('text', { x: right + 5, y: y(last.bound) + 4 }, `${last.bound} proved`) : null,
    h('text', { x: right, y: HEIGHT - 4, 'text-anchor': 'end' }, `${(until / 1000).toFixed(until < 10_000 ? 1 : 0)} s`),
  ], { right });
}

function steps(history, name, until, x, y) {
  const known = history.filter((point) => point[name] !== null);
  const corners = known.flatMap((point, place) => {
    const before = known[place - 1];
    return before ? [[x(point.ms), y(before[name])], [x(point.ms), y(point[name])]] : [[x(point.ms), y(point[name])]];
  });
  return known.length ? [...corners, [x(until), y(known.at(-1)[name])]] : [];
}

/** Returns the length of a bar as a fraction of the longest; log scales start at 1. */
export function share(value, most, isLog) {
  if (!(value > 0) || !(most > 0)) return 0;
  return isLog ? Math.log(Math.max(value, 1)) / Math.log(Math.max(most, 2)) : value / most;
}

/** Draws a bar in a table. */
export const bar = (part, series = 1) => h('svg', { class: 'bars', 'aria-hidden': 'true' },
  h('rect', { class: `s${series}`, y: 4, height: 14, rx: 3, width: `${(part * 100).toFixed(2)}%` }));

/** Draws rows [[name, value]] as a table with bars. */
export function barTable(caption, rows, { isLog = true, series = 3, write = (value) => value.toLocaleString('en'), heads = ['What', 'Number'] } = {}) {
  const most = Math.max(...rows.map(([, value]) => value ?? 0), 1);
  const row = ([name, value, own = series]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, bar(share(value, most, isLog), own)),
    h('td', { class: 'n' }, value === null ? 'none' : write(value)));
  return h('table', { class: 'rounds' }, h('caption', { class: 'cap small' }, caption),
    h('thead', { class: 'vh' }, h('tr', {}, h('th', { scope: 'col' }, heads[0]), h('td', {}), h('th', { scope: 'col' }, heads[1]))),
    h('tbody', {}, rows.map(row)));
}

/**
 * Draws a dot for each value and a line for each of `lines` [{name, values}], in order. Values that are null or not
 * finite leave gaps. `write` formats the ticks.
 */
export function lineChart(values, lines, label, write) {
  const known = values.filter(Number.isFinite);
  const x = scale(0, Math.max(values.length - 1, 1), WIDE_LEFT, WIDTH - RIGHT);
  const [least, most] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const y = scale(least, most, HEIGHT - BOTTOM, TOP);
  const dots = values.map((value, place) => (Number.isFinite(value) ? `M${x(place)} ${y(value)}h0` : '')).join('');
  return frame(label, [...new Set([least, most])], y, [
    h('path', { class: 'dots', d: dots }),
    lines.map((line) => h('path', { class: line.name, d: brokenLine(line.values, x, y) })),
    h('text', { x: WIDE_LEFT, y: HEIGHT - 4 }, 'first'), h('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, `solve ${values.length}`),
  ], { left: WIDE_LEFT, write });
}

function brokenLine(values, x, y) {
  let pen = 'M';
  return values.map((value, place) => {
    if (value === null || !Number.isFinite(value)) {
      pen = 'M';
      return '';
    }
    const step = `${pen}${x(place)} ${y(value)}`;
    pen = 'L';
    return step;
  }).join('');
}
