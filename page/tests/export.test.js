import assert from 'node:assert/strict';
import test from 'node:test';
import { animatedSvg } from '../export/animated_svg.js';
import { layoutOf, sideFor } from '../export/drawing.js';
import { compress, gifParts, mixedColours, nearestOf } from '../export/gif.js';
import { walk } from '../puzzle/board.js';
import { goalOf } from '../puzzle/goals.js';
import { parseBoard } from '../puzzle/parse.js';

/** Decodes LZW data of 8-bit pixels, as the GIF specification describes it. */
function decompress(bytes) {
  let [bit, bits, table, last] = [0, 9, [], null];
  const pixels = [];
  const read = () => {
    let code = 0;
    for (let at = 0; at < bits; at += 1, bit += 1) code |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << at;
    return code;
  };
  const reset = () => { [bits, last] = [9, null]; table = Array.from({ length: 258 }, (_, index) => [index]); };
  for (let code = read(); code !== 257; code = read()) {
    if (code === 256) {
      reset();
      continue;
    }
    const entry = table[code] ?? [...last, last[0]];
    assert.ok(code <= table.length, `code ${code} of ${table.length}`);
    pixels.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << bits && bits < 12) bits += 1;
    last = entry;
  }
  return Uint8Array.from(pixels);
}

test('pixels survive LZW, also when the table of codes is full', () => {
  let seed = 1;
  const random = (count) => (seed = (seed * 1103515245 + 12345) % 2147483648) % count;
  const noise = Uint8Array.from({ length: 40_000 }, () => random(256));
  const flat = new Uint8Array(70_000).fill(7);
  const stripes = Uint8Array.from({ length: 30_000 }, (_, at) => (at % 97 < 50 ? 3 : random(4)));
  for (const pixels of [noise, flat, stripes, Uint8Array.of(9)]) assert.deepEqual(decompress(compress(pixels)), pixels);
  assert.ok(compress(flat).length < 1000);
});

test('a GIF file has its size, its colours, and a frame for each part', () => {
  const frame = { x: 1, y: 0, width: 2, height: 1, pixels: Uint8Array.of(1, 0), delay: 25 };
  const bytes = [...gifParts({ width: 3, height: 300, colours: [[1, 2, 3], [4, 5, 6]] }, [frame, frame])].flatMap((part) => [...part]);
  assert.equal(String.fromCharCode(...bytes.slice(0, 6)), 'GIF89a');
  assert.deepEqual(bytes.slice(6, 19), [3, 0, 44, 1, 0xf7, 0, 0, 1, 2, 3, 4, 5, 6]);
  const controls = bytes.flatMap((byte, at) => (byte === 0x21 && bytes[at + 1] === 0xf9 ? [bytes[at + 4]] : []));
  assert.deepEqual(controls, [25, 25]);
  assert.equal(bytes.at(-1), 0x3b);
});

test('the nearest colour of the palette is found', () => {
  const colours = mixedColours([[[0, 0, 0], [100, 100, 100], 4], [[0, 0, 0], [0, 0, 200], 2]]);
  assert.deepEqual(colours, [[0, 0, 0], [25, 25, 25], [50, 50, 50], [75, 75, 75], [100, 100, 100], [0, 0, 100], [0, 0, 200]]);
  assert.equal(nearestOf(colours)(3, 1, 120), 5);
});

const colours = { page: '#fff', tray: '#eee', away: '#fff', awayInk: '#555', ink: '#111', rows: ['#a00', '#0a0', '#00a', '#aa0', '#0aa'], feet: ['#a11', '#1a1', '#11a', '#aa1', '#1aa'] };

/** Returns the frames of a rule: [[percent, text]]. */
function framesOf(svg, name) {
  const [, rule] = svg.match(new RegExp(`@keyframes ${name}\\{((?:[^{}]*\\{[^{}]*\\})*)\\}`)) ?? [];
  return rule && [...rule.matchAll(/([\d.%,]+)\{([^}]*)\}/g)].flatMap(([, at, text]) => at.split(',').map((percent) => [parseFloat(percent), text]));
}

test('the animation takes every tile to its place in time, and fills it when it is home', () => {
  const { board } = parseBoard('1 2 3/4 0 5/7 8 6');
  const layout = layoutOf(board, goalOf(null, board), colours, 100);
  const svg = animatedSvg(board, 'rd', layout);
  const place = (cell) => `transform:translate(${layout.place(cell).map((length) => `${length}px`).join(',')})`;
  // 1 s before the moves, 0.3 s a move of which a slide takes 0.2 s, 2.5 s at the end: 4.1 s.
  const percent = (ms) => Number((ms / 41).toFixed(3));
  assert.deepEqual(framesOf(svg, 't5'), [[0, place(5)], [percent(1000), place(5)], [percent(1200), place(4)], [100, place(4)]]);
  assert.deepEqual(framesOf(svg, 't6'), [[0, place(8)], [percent(1300), place(8)], [percent(1500), place(5)], [100, place(5)]]);
  assert.deepEqual(framesOf(svg, 'h6'), [[0, 'opacity:0'], [percent(1500), 'opacity:1']]);
  assert.equal(framesOf(svg, 't1'), undefined, 'a tile that stays has no animation');
  assert.equal(framesOf(svg, 'h1'), undefined, 'a tile that is always home is always filled');
  assert.match(svg, /<g class="h1" opacity="1">/);
});

test('an animation of 80 moves on 4x4 is small', () => {
  const board = goalOf(null, { width: 4, height: 4 });
  const moves = 'uullddrr'.repeat(10);
  const svg = animatedSvg(walk(board, moves), 'lluurrdd'.repeat(10), layoutOf(board, board, colours, sideFor(board, 480)));
  assert.ok(svg.length < 200_000, `${svg.length} bytes`);
});
