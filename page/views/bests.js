// What the browser keeps of a player: best times and habits. A browser that keeps nothing is no fault.

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`loyd.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`loyd.${name}`, JSON.stringify(value));
  } catch { /* it is only not kept */ }
}

/** The best of a kind of board: {ms, moves}, null if there is none. With `solve` it is kept if it is faster. */
export function keepBest(kind, solve = null) {
  const all = read('bests', {});
  const best = all[kind] ?? null;
  if (!solve) return best;
  const isNew = !best || solve.ms < best.ms;
  if (isNew) write('bests', { ...all, [kind]: solve });
  return { ...(isNew ? solve : best), isNew };
}

/** A habit that is on or off. */
export function storedFlag(name, value) {
  if (value !== undefined) write(name, value);
  return read(name, false);
}
