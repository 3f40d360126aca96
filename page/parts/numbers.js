// Formatting of numbers.

export const count = (value) => Math.round(value).toLocaleString('en');

const shortened = (value, units, step) => {
  let unit = 0;
  let left = value;
  while (left >= step && unit < units.length - 1) {
    left /= step;
    unit += 1;
  }
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toPrecision(2)} ${units[unit]}`.trim();
};

export const short = (value) => shortened(value, ['', 'k', 'M', 'G', 'T'], 1000);
export const bytes = (value) => shortened(value, ['B', 'KB', 'MB', 'GB'], 1000);

export function duration(ms) {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
}

/** Formats a time for the clock, as in `0:12.31`. */
export function clock(ms) {
  const hundredths = Math.floor(ms / 10);
  const seconds = String(Math.floor(hundredths / 100) % 60).padStart(2, '0');
  return `${Math.floor(hundredths / 6000)}:${seconds}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** A shorter time has no rate: a line of tiles may move at once. */
const LEAST_RATED_MS = 100;

/** Formats the moves per second of a solve: the time starts with the first move, so one move has no rate. */
export const rate = (moves, ms) => (moves > 1 && ms >= LEAST_RATED_MS ? ((moves * 1000) / ms).toFixed(2) : '–');

export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
