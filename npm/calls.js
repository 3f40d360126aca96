// The functions of the package, which are the calls of the API.
import { CALLS } from './engine/calls.js';

/** Returns the functions on an engine that `open` opens at the first call. */
export function functionsOf(open) {
  let engine = null;
  const opened = () => (engine ??= open());

  function ask(name, given, { signal, onEvent, ...fields } = {}) {
    const body = { ...fields };
    CALLS[name].forEach((field, place) => { body[field] = given[place]; });
    return opened().call(name, plain(body), { signal, onEvent: onEvent && ((event, data) => onEvent(data)) });
  }

  /** Required fields are the first arguments, the options the last one. */
  const functionOf = (name) => async (...args) => {
    const count = CALLS[name].length;
    return ask(name, args.slice(0, count), args[count]);
  };
  const functions = Object.fromEntries(Object.keys(CALLS).map((name) => [name, functionOf(name)]));

  /** Yields the data of events as they come, then the answer. The search ends if the reader stops reading. */
  async function* streamOf(name, given, options) {
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const items = [];
    let wake = () => {};
    const add = (item) => {
      items.push(item);
      wake();
    };
    const onEvent = (data) => {
      options.onEvent?.(data);
      add({ data });
    };
    ask(name, given, { ...options, signal, onEvent }).then((answer) => add({ answer }), (error) => {
      items.length = 0;
      add({ error });
    });
    try {
      for (;;) {
        if (items.length === 0) await new Promise((resolve) => { wake = resolve; });
        const item = items.shift();
        if (item.error) throw item.error;
        yield item;
        if (item.answer) return;
      }
    } finally {
      stop.abort();
    }
  }

  async function* anytime(board, options = {}) {
    for await (const { data, answer } of streamOf('solve', [board], { quality: 'auto', ...options })) {
      if (answer) yield { ...answer, final: true };
      else if (data.event === 'incumbent') yield { ...data, final: false };
    }
  }

  async function* batch(boards, options = {}) {
    for await (const { data, answer } of streamOf('batch', [boards], options)) yield* answer ?? data;
  }

  const list = (name) => opened().list(name);
  const close = () => engine?.close();
  return { ...functions, anytime, batch, list, close };
}

/** Converts typed arrays to lists, which JSON can express. */
function plain(value) {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}
