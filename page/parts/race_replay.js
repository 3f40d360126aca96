// Replay of a race: all rows grow again on one clock, slow enough to be seen.
import { calmMotion } from './dom.js';

/** Duration of a replay, in which the slowest row ends. */
export const REPLAY_MS = 8000;
/** Numbers change at most this often. */
const NUMBERS_MS = 100;
/** Number of steps under reduced motion. */
const STEPS = 10;

/**
 * Calls `draw(ms, withNumbers)` with the time of the race, up to `slowest` milliseconds, then `end()`. Returns a function
 * that stops the replay.
 */
export function replay(slowest, draw, end) {
  return calmMotion() ? inSteps(slowest, draw, end) : smoothly(slowest, draw, end);
}

function inSteps(slowest, draw, end) {
  let step = 0;
  const next = () => {
    draw((slowest * step) / STEPS, true);
    step += 1;
    if (step <= STEPS) return;
    clearInterval(timer);
    end();
  };
  const timer = setInterval(next, REPLAY_MS / STEPS);
  next();
  return () => clearInterval(timer);
}

function smoothly(slowest, draw, end) {
  const start = performance.now();
  let [frame, drawn] = [0, -Infinity];
  const next = (now) => {
    const part = Math.min(Math.max(now - start, 0) / REPLAY_MS, 1);
    const withNumbers = part === 1 || now - drawn >= NUMBERS_MS;
    if (withNumbers) drawn = now;
    draw(slowest * part, withNumbers);
    if (part < 1) frame = requestAnimationFrame(next);
    else end();
  };
  frame = requestAnimationFrame(next);
  return () => cancelAnimationFrame(frame);
}
