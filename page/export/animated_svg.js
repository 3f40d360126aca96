// A solution as one SVG file that plays wherever pictures are shown: CSS keyframes move the tiles.
import { drawTile, drawTray, isHome, slidesOf } from './drawing.js';

const [FIRST_MS, SLIDE_MS, REST_MS, LAST_MS] = [1000, 200, 100, 2500];

/** A pen that writes SVG elements to `parts`. */
const pen = (parts) => ({
  box: (x, y, width, height, radius, fill) => parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" rx="${short(radius)}" fill="${fill}"/>`),
  text: (text, x, y, size, weight, fill) => parts.push(`<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" font-weight="${weight}" fill="${fill}">${text}</text>`),
});

const short = (number) => Number(number.toFixed(1));

/** Returns the text of the file. `layout` is that of the board. */
export function animatedSvg(board, moves, layout) {
  const slides = slidesOf(board, moves);
  const total = FIRST_MS + slides.length * (SLIDE_MS + REST_MS) + LAST_MS;
  const percent = (ms) => `${Number(((100 * ms) / total).toFixed(3))}%`;
  const rules = [];
  const parts = [];
  drawTray(pen(parts), layout);
  board.cells.forEach((tile, cell) => {
    if (!tile) return;
    const stops = stopsOf(tile, cell, slides);
    if (stops.length > 1) rules.push(keyframes(`t${tile}`, slideFrames(stops, layout, percent, total), total, 'linear'));
    tileGroup(parts, rules, { tile, stops, layout, percent, total });
  });
  const style = `text{font-family:system-ui,sans-serif;text-anchor:middle;letter-spacing:-.03em}${rules.join('')}@media (prefers-reduced-motion:reduce){*{animation:none!important}}`;
  const { width, height } = layout;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`
    + `<title>Solution of a sliding-tile puzzle, moves: ${slides.length}</title><style>${style}</style>${parts.join('')}</svg>\n`;
}

/** Returns the cells of a tile, with the times at which it arrives: [{cell, ms}]. */
function stopsOf(tile, cell, slides) {
  const stops = [{ cell, ms: 0 }];
  slides.forEach((slide, index) => {
    if (slide.tile === tile) stops.push({ cell: slide.to, ms: FIRST_MS + index * (SLIDE_MS + REST_MS) + SLIDE_MS });
  });
  return stops;
}

function slideFrames(stops, layout, percent, total) {
  return stops.map(({ cell, ms }, index) => {
    const leaves = index + 1 < stops.length ? stops[index + 1].ms - SLIDE_MS : total;
    const [x, y] = layout.place(cell);
    return `${percent(ms)},${percent(leaves)}{transform:translate(${x}px,${y}px)}`;
  });
}

const keyframes = (name, frames, total, timing) => `@keyframes ${name}{${frames.join('')}}.${name}{animation:${name} ${total / 1000}s ${timing} infinite}`;

/** Draws a tile in both states, the one for home above the other, and shows or hides it whenever the tile arrives. */
function tileGroup(parts, rules, { tile, stops, layout, percent, total }) {
  const homes = stops.map(({ cell }) => isHome(layout, tile, cell));
  const [x, y] = layout.place(stops[0].cell);
  parts.push(`<g class="t${tile}" transform="translate(${x} ${y})">`);
  if (homes.includes(false)) drawTile(pen(parts), layout, tile, false, [0, 0]);
  if (homes.includes(true)) {
    if (homes.includes(false)) rules.push(keyframes(`h${tile}`, stops.map(({ ms }, index) => `${percent(ms)}{opacity:${Number(homes[index])}}`), total, 'step-end'));
    parts.push(`<g class="h${tile}" opacity="${Number(homes[0])}">`);
    drawTile(pen(parts), layout, tile, true, [0, 0]);
    parts.push('</g>');
  }
  parts.push('</g>');
}
