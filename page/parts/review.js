// Review of a solve: where moves were wasted, in both metrics.
import { formatBoard, walk } from '../puzzle/board.js';
import { formatLink } from '../puzzle/link.js';
import { lengthIn } from '../puzzle/moves.js';
import { distancesOf, lostText, spanOf } from '../puzzle/review.js';
import { distanceChart } from './chart.js';
import { segments } from './controls.js';
import { fill, h } from './dom.js';
import { plural } from './numbers.js';

const METRICS = { stm: 'Single tiles', mtm: 'Slides' };
const MAX_ROWS = 8;

/** Creates the panel of a review. `solve` is {start, goalText, moves}. */
export function reviewPanel(reviews, solve) {
  const [stm] = reviews;
  const spans = stm.segments.map((segment) => spanOf(stm, segment, solve.moves));
  const where = h('div', { class: 'stack' });
  const showWhere = (metric) => fill(where, whereTable(reviews.find((review) => review.metric === metric), solve));
  showWhere('stm');
  return h('div', { class: 'review-in' },
    h('div', { class: 'stack' }, h('h2', {}, 'Last solve'), h('p', { class: 'big' }, ...headline(stm)), chart(stm, spans)),
    h('div', { class: 'stack' }, countTable(reviews, solve.moves),
      reviews.some((review) => review.segments.length) ? segments('Count', Object.entries(METRICS), 'stm', showWhere) : null, where));
}

function headline(stm) {
  const lost = lostText(stm);
  const words = lost === '0' ? 'none of them lost' : `${lost} of them lost`;
  return [`${plural(stm.length, 'move')},`, h('br'), words];
}

function chart(stm, spans) {
  const distances = distancesOf(stm);
  if (!distances || distances.length < 3) return null;
  const rises = distances.filter((distance, move) => move && distance > distances[move - 1]).length;
  const label = `Moves to go after each of your ${stm.length} moves. It starts at ${stm.shortest} and rises ${rises} times.`;
  return h('figure', { class: 'stack' }, distanceChart(distances, spans, label),
    h('figcaption', { class: 'small muted' }, 'Moves to go, after each of yours. Where the line climbs, you moved away.'));
}

function countTable(reviews, moves) {
  const row = (review) => h('tr', {}, h('th', { scope: 'row' }, METRICS[review.metric]),
    h('td', { class: 'n' }, lengthIn(review.metric, moves)),
    h('td', { class: 'n' }, review.shortest ?? `${review.lower_bound} to ${review.best_known}`),
    h('td', { class: 'n' }, h('b', {}, lostText(review))));
  return h('table', {}, h('caption', { class: 'vh' }, 'Your solution and the shortest, in both metrics'),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Count'), ['You', 'Shortest', 'Lost'].map((text) => h('th', { scope: 'col', class: 'n' }, text)))),
    h('tbody', {}, reviews.map(row)));
}

function whereTable(review, solve) {
  if (review.segments.length === 0) return h('p', { class: 'small muted' }, 'No move was lost in this count.');
  const shown = [...review.segments].sort((a, b) => b.lost - a.lost).slice(0, MAX_ROWS).sort((a, b) => a.number - b.number);
  const more = review.segments.length - shown.length;
  return [
    h('table', {}, h('caption', { class: 'vh' }, 'Where moves were lost'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Where'), h('th', { scope: 'col', class: 'n' }, 'Lost'), h('td', {}))),
      h('tbody', {}, shown.map((segment) => whereRow(review, segment, solve)))),
    more ? h('p', { class: 'small muted' }, `And ${more} more, which lost less.`) : null,
  ];
}

function whereRow(review, segment, { start, goalText, moves }) {
  const [from] = spanOf(review, segment, moves);
  const last = segment.number + segment.played.length - 1;
  const unit = review.metric === 'stm' ? 'Move' : 'Slide';
  const name = last > segment.number ? `${unit}s ${segment.number}–${last}` : `${unit} ${segment.number}`;
  const params = { board: formatBoard(walk(start, moves.slice(0, from))), goal: goalText, metric: review.metric === 'mtm' ? 'mtm' : null };
  if (segment.shortcut?.length) params.moves = segment.shortcut.join('');
  return h('tr', {}, h('td', {}, name), h('td', { class: 'n' }, h('b', {}, segment.lost)),
    h('td', { class: 'n' }, segment.shortcut?.length === 0 ? 'leads back' : h('a', { href: formatLink('watch', params) }, 'Show shorter way')));
}
