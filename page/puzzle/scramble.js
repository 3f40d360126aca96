// Draws boards from a seed as the engine does (`crates/tiles/src/scramble.rs`): the same seed gives the same board.
import { blankOf } from './board.js';
import { homesOf, isPartial } from './goals.js';

const BITS = 64n;
const MASK = (1n << BITS) - 1n;

/**
 * Returns a board drawn uniformly from all boards that can reach the goal. Returns null if that takes the engine: for
 * goals with `*`, for single lines, and for seeds beyond the whole numbers that JavaScript represents exactly.
 */
export function drawBoard(goal, seed) {
  const { width, height } = goal;
  if (isPartial(goal) || Math.min(width, height) < 2 || !Number.isSafeInteger(seed) || seed < 0) return null;
  const cells = shuffled(width * height, splitMix(BigInt(seed)));
  if (!reaches({ width, height, cells }, goal)) exchangeFirstTiles(cells);
  return { width, height, cells };
}

/** Returns a generator of pseudorandom 64-bit numbers: SplitMix64 by Steele, Lea and Flood (2014). */
function splitMix(seed) {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  };
}

/** Returns a uniform number from 0 to `bound` − 1: Lemire (2019), "Fast random integer generation in an interval". */
function below(bound, random) {
  const surplus = (1n << BITS) % bound;
  for (;;) {
    const product = random() * bound;
    if ((product & MASK) >= surplus) return Number(product >> BITS);
  }
}

/** Returns the numbers from 0 to `count` − 1 in random order: Fisher and Yates, from the end. */
function shuffled(count, random) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = below(BigInt(last + 1), random);
    [numbers[last], numbers[other]] = [numbers[other], numbers[last]];
  }
  return numbers;
}

/** Returns whether the parity of the order of all pieces is that of the steps of the blank to its goal cell. */
function reaches(board, goal) {
  const { width, cells } = board;
  const homes = homesOf(goal);
  const isSeen = new Array(cells.length).fill(false);
  let swaps = 0;
  for (let start = 0; start < cells.length; start += 1) {
    // A cycle of n cells takes n - 1 exchanges.
    for (let cell = start; !isSeen[cell]; cell = homes.get(cells[cell])) {
      isSeen[cell] = true;
      if (cell !== start) swaps += 1;
    }
  }
  const [from, to] = [blankOf(board), blankOf(goal)];
  const steps = Math.abs((from % width) - (to % width)) + Math.abs(Math.floor(from / width) - Math.floor(to / width));
  return (swaps - steps) % 2 === 0;
}

function exchangeFirstTiles(cells) {
  const [first, second] = cells.flatMap((tile, cell) => (tile === 0 ? [] : [cell]));
  [cells[first], cells[second]] = [cells[second], cells[first]];
}
