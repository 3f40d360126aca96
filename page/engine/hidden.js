// Searches of hidden tabs pause: browsers open at most six connections to a server with HTTP/1.1, so the streams of six
// hidden tabs would block a seventh.

/** A tab that is hidden for a shorter time keeps its searches. */
export const HIDDEN_MS = 10_000;

/**
 * Runs `search(signal)`, which is cancelled when the tab has been hidden for HIDDEN_MS and started again when the tab is
 * visible. `signal` cancels it for good.
 */
export async function whileVisible(search, signal = new AbortController().signal) {
  for (;;) {
    const pause = pauseWhenHidden();
    try {
      return await search(AbortSignal.any([signal, pause.signal]));
    } catch (error) {
      if (signal.aborted || !pause.signal.aborted) throw error;
    } finally {
      pause.end();
    }
    await visible(signal);
  }
}

const isHidden = () => document.visibilityState === 'hidden';

function pauseWhenHidden() {
  const cancel = new AbortController();
  let timer = null;
  const follow = () => {
    clearTimeout(timer);
    if (isHidden()) timer = setTimeout(() => cancel.abort(), HIDDEN_MS);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', follow);
  };
  return { signal: cancel.signal, end };
}

/** Waits until the tab is visible. */
function visible(signal) {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (isHidden() && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      if (signal.aborted) reject(new DOMException('cancelled', 'AbortError'));
      else resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
