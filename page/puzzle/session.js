// Statistics of a session: a list of solves {ms, length, dnf, optimal}, the oldest first. `ms` and `length`, the number
// of moves, are null if they are unknown. Averages that are not finite are DNF.

/** Lengths of the averages. */
const AVERAGES = [5, 12, 50, 100];

/** Moves per second; null if it has no meaning, because the time starts with the first move. */
export const tpsOf = ({ ms, length }) => (length > 1 && ms > 0 ? (length * 1000) / ms : null);

/** Measures of a solve: `of` reads it, `worst` stands for a DNF. Times are cut to hundredths before averages are taken. */
export const MEASURES = {
  time: { title: 'Time', of: ({ ms }) => (ms === null ? null : ms - (ms % 10)), worst: Infinity },
  moves: { title: 'Moves', of: ({ length }) => length, worst: Infinity },
  tps: { title: 'TPS', of: tpsOf, worst: -Infinity },
};

/** Returns the values of a measure. Solves whose value is unknown are left out; a DNF has the worst value. */
export function valuesOf(solves, measure) {
  const { of, worst } = MEASURES[measure];
  return solves.flatMap((solve) => (solve.dnf ? worst : of(solve) ?? []));
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Returns the better of two values; null stands for none. */
function better(measure, a, b) {
  if (a === null || b === null) return a ?? b;
  return MEASURES[measure].worst > 0 ? Math.min(a, b) : Math.max(a, b);
}

const bestOf = (values, measure) => values.reduce((best, value) => better(measure, best, value), null);

/** Number of values that an average drops at each end: 5%, rounded up. */
export const droppedAtEachEnd = (length) => Math.ceil(length / 20);

/** Returns the mean of sorted values without the best and the worst ones. */
function trimmedMean(sorted) {
  const dropped = droppedAtEachEnd(sorted.length);
  return sum(sorted.slice(dropped, -dropped)) / (sorted.length - 2 * dropped);
}

/** Returns the average of the last `length` values after each value; null where there are fewer. */
export function runningAverages(values, length) {
  const sorted = [];
  return values.map((value, place) => {
    const larger = sorted.findIndex((other) => other > value);
    sorted.splice(larger < 0 ? sorted.length : larger, 0, value);
    if (place >= length) sorted.splice(sorted.indexOf(values[place - length]), 1);
    return sorted.length < length ? null : trimmedMean(sorted);
  });
}

/** Returns the mean and the standard deviation of a sample, without DNFs; null if there are too few values. */
function meanOf(values) {
  const known = values.filter(Number.isFinite);
  const mean = known.length ? sum(known) / known.length : null;
  const deviation = known.length > 1 ? Math.sqrt(sum(known.map((value) => (value - mean) ** 2)) / (known.length - 1)) : null;
  return { mean, deviation };
}

/** Returns {count, dnfs, mean, deviation, rows}. `rows` are [{name, current, best}]: the single, then the averages. */
export function statistics(solves, measure) {
  const values = valuesOf(solves, measure);
  const row = (name, list) => ({ name, current: list.at(-1) ?? null, best: bestOf(list, measure) });
  return {
    count: solves.length,
    dnfs: solves.filter(({ dnf }) => dnf).length,
    ...meanOf(values),
    rows: [row('single', values), ...AVERAGES.map((length) => row(`ao${length}`, runningAverages(values, length)))],
  };
}

/** Returns the rows of `after` whose best value is better than that of `before`, where there was one. */
export function fallenBests(before, after, measure) {
  return after.rows.filter(({ best }, place) => {
    const last = before.rows[place].best;
    return last !== null && best !== last && better(measure, best, last) === best;
  });
}

/** Returns {count, mean} of the moves over the optimum, of the solves whose optimum is known; null if there are none. */
export function overOptimal(solves) {
  const over = solves.filter(({ dnf, length, optimal }) => !dnf && length !== null && Number.isInteger(optimal)).map(({ length, optimal }) => length - optimal);
  return over.length ? { count: over.length, mean: sum(over) / over.length } : null;
}

/** Formats a time as `12.34` or `1:02.34`: single times are cut off, like the clock, and averages are rounded. */
export function timeText(ms, isRounded = false) {
  const hundredths = isRounded ? Math.round(ms / 10) : Math.floor(ms / 10);
  const minutes = Math.floor(hundredths / 6000);
  const seconds = ((hundredths % 6000) / 100).toFixed(2);
  return minutes ? `${minutes}:${seconds.padStart(5, '0')}` : seconds;
}

/** Formats a value of a measure. */
export function valueText(measure, value, isRounded = false) {
  if (value === null) return '–';
  if (!Number.isFinite(value)) return 'DNF';
  if (measure === 'time') return timeText(value, isRounded);
  return measure === 'tps' ? value.toFixed(2) : isRounded ? value.toFixed(1) : String(value);
}
