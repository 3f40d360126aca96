// Encodes animated GIF files: a table of at most 256 colours, frames that replace a part of the picture, LZW compression.

const [CLEAR, END] = [256, 257];
const MAX_CODES = 4096;
const BLOCK = 255;

/**
 * Yields the parts of a file. `colours` are [red, green, blue]; a frame is {x, y, width, height, pixels, delay}, where
 * pixels are indices of colours and the delay until the next frame is in hundredths of a second. The animation repeats.
 */
export function* gifParts({ width, height, colours }, frames) {
  yield header(width, height, colours);
  for (const frame of frames) yield* [frameHeader(frame), ...blocks(compress(frame.pixels))];
  yield Uint8Array.of(0x3b);
}

const word = (number) => [number & 255, number >> 8];
const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));

function header(width, height, colours) {
  const table = Array.from({ length: 256 }, (_, index) => colours[index] ?? [0, 0, 0]).flat();
  // A global table of 256 colours; an application extension that repeats the animation without end.
  return Uint8Array.from([...ascii('GIF89a'), ...word(width), ...word(height), 0xf7, 0, 0, ...table, 0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0]);
}

function frameHeader({ x, y, width, height, delay }) {
  // The control extension: the frame stays when the next one is drawn. Then the place of the frame, and 8 bits a pixel.
  return Uint8Array.from([0x21, 0xf9, 4, 4, ...word(delay), 0, 0, 0x2c, ...word(x), ...word(y), ...word(width), ...word(height), 0, 8]);
}

/** Splits data into blocks, each preceded by its length. An empty block ends them. */
function* blocks(data) {
  for (let from = 0; from < data.length; from += BLOCK) {
    const part = data.subarray(from, from + BLOCK);
    yield Uint8Array.of(part.length, ...part);
  }
  yield Uint8Array.of(0);
}

/** Compresses pixels with LZW: codes of 9 to 12 bits, the least significant bit first. */
export function compress(pixels) {
  const writer = new BitWriter();
  let codes = new Map();
  let [bits, next] = [9, END + 1];
  writer.put(CLEAR, bits);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at += 1) {
    const key = (prefix << 8) | pixels[at];
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    writer.put(prefix, bits);
    prefix = pixels[at];
    if (next === MAX_CODES) {
      writer.put(CLEAR, bits);
      codes = new Map();
      [bits, next] = [9, END + 1];
    } else {
      // The decoder learns this code one step later, so the codes become longer once it is written.
      if (next === 1 << bits) bits += 1;
      codes.set(key, next);
      next += 1;
    }
  }
  writer.put(prefix, bits);
  writer.put(END, bits);
  return writer.bytes();
}

class BitWriter {
  constructor() {
    Object.assign(this, { data: [], buffer: 0, held: 0 });
  }

  put(code, bits) {
    this.buffer |= code << this.held;
    this.held += bits;
    while (this.held >= 8) {
      this.data.push(this.buffer & 255);
      this.buffer >>>= 8;
      this.held -= 8;
    }
  }

  bytes() {
    return Uint8Array.from(this.held ? [...this.data, this.buffer & 255] : this.data);
  }
}

/** Returns the mixtures of two colours in `steps` steps, without the first colour. */
const mixtures = (a, b, steps) => Array.from({ length: steps }, (_, step) => a.map((value, at) => Math.round(value + ((b[at] - value) * (step + 1)) / steps)));

/** Returns the colours of a picture: each of `pairs`, [below, above, steps], and their mixtures at the edges of shapes. */
export function mixedColours(pairs) {
  const colours = pairs.flatMap(([below, above, steps]) => [below, ...mixtures(below, above, steps)]);
  return [...new Map(colours.map((colour) => [colour.join(), colour])).values()];
}

/** Creates a function that returns the index of the colour nearest to a pixel. Found indices are kept. */
export function nearestOf(colours) {
  const known = new Map();
  return (red, green, blue) => {
    const key = (red << 16) | (green << 8) | blue;
    if (!known.has(key)) {
      const distances = colours.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
      known.set(key, distances.indexOf(Math.min(...distances)));
    }
    return known.get(key);
  };
}
