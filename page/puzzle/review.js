// Evaluation of reviews.
import { runsOf } from './moves.js';

/** Returns the distance to the goal after each move: it falls by one except where moves were wasted. Null if unknown. */
export function distancesOf(review) {
  if (review.shortest === null || review.segments.some(({ before }) => before === null)) return null;
  const distances = [review.shortest];
  const segments = new Map(review.segments.map((segment) => [segment.number, segment]));
  while (distances.length <= review.length) {
    const segment = segments.get(distances.length);
    const last = distances.at(-1);
    if (!segment) distances.push(last - 1);
    else segment.played.forEach((_, place) => {
      distances.push(segment.before + ((segment.after - segment.before) * (place + 1)) / segment.played.length);
    });
  }
  return distances;
}

/** Returns the number of single-tile moves before and up to the end of a segment: [from, to]. */
export function spanOf(review, segment, moves) {
  const [first, after] = [segment.number - 1, segment.number - 1 + segment.played.length];
  if (review.metric === 'stm') return [first, after];
  const runs = runsOf(moves);
  return [runs[first]?.from ?? moves.length, runs[after]?.from ?? moves.length];
}

/** Returns the number of wasted moves as text, or the range in which it lies. */
export function lostText({ lost, lost_at_least: least, lost_at_most: most }) {
  if (lost !== null) return String(lost);
  return least === most ? String(least) : `${least} to ${most}`;
}
