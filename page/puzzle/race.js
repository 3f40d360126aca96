// Results of a race: its winners, and the course of each row for a replay.

/**
 * Returns the names of the entries with the least value, several if their values read the same. `of(entry)` returns the
 * value, `write(value)` the text that the reader sees, `name(entry)` the name.
 */
export function winnersOf(entries, { of, write, name }) {
  const least = write(Math.min(...entries.map(of)));
  return entries.filter((entry) => write(of(entry)) === least).map(name);
}

/**
 * Returns the values of a row at a time of the race, in milliseconds: on straight lines from zero through `samples`,
 * [{ms, expanded, bytes}] in the order of time.
 */
export function valuesAt(samples, ms) {
  const place = samples.findIndex((sample) => sample.ms >= ms);
  if (place < 0) return samples.at(-1) ?? ZERO;
  const [before, after] = [samples[place - 1] ?? ZERO, samples[place]];
  const part = after.ms > before.ms ? (ms - before.ms) / (after.ms - before.ms) : 1;
  const between = (name) => before[name] + (after[name] - before[name]) * part;
  return { ms, expanded: Math.round(between('expanded')), bytes: Math.round(between('bytes')) };
}

const ZERO = { ms: 0, expanded: 0, bytes: 0 };

/** Returns how a replay compares with the race: `factor` is its duration divided by that of the race. */
export function paceText(factor) {
  const rounded = (value) => Number(value.toPrecision(2)).toLocaleString('en');
  if (rounded(factor) === '1') return 'as fast as the race';
  return factor > 1 ? `${rounded(factor)} times slower` : `${rounded(1 / factor)} times faster`;
}
