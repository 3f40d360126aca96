// Pictures on the tiles: each tile has its part of a picture on a canvas, because the policy of the page forbids
// addresses of local files.
import { h } from './dom.js';

const BUILT_IN = 'picture.svg';
/** Side of a stored picture, and of a board on the screen, in pixels. */
const MOST_PX = 1024;

/** Reads an image file. Throws an Error if the browser cannot read it. */
async function readImage(file) {
  try {
    return await createImageBitmap(file);
  } catch {
    throw new Error(`“${file.name ?? 'The file'}” is not a picture that this browser can read.`);
  }
}

/** Reads the reader's picture and returns it as a JPEG of at most 1024 pixels a side. */
export async function shrink(file) {
  const image = await readImage(file);
  const part = Math.min(1, MOST_PX / Math.max(image.width, image.height));
  const canvas = h('canvas', { width: Math.max(1, Math.round(image.width * part)), height: Math.max(1, Math.round(image.height * part)) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be stored.'))), 'image/jpeg', 0.9);
  });
}

/** Returns the picture as an image: the built-in one, or that of a blob. */
export async function openPicture(blob) {
  if (blob) return readImage(blob);
  const image = new Image();
  image.src = BUILT_IN;
  await image.decode();
  return image;
}

/** Puts the parts of an image on the pieces of a board view. The image covers the board; the part of the blank appears at the solve. */
export function paintTiles({ pieces, homes, state: { width, height } }, image) {
  const cell = Math.min(image.width / width, image.height / height);
  const [left, top] = [(image.width - cell * width) / 2, (image.height - cell * height) / 2];
  const side = Math.ceil(MOST_PX / Math.max(width, height));
  for (const { tile, element } of pieces) {
    const home = homes.get(tile);
    if (home === undefined) continue;
    const canvas = h('canvas', { width: side, height: side, 'aria-hidden': 'true' });
    canvas.getContext('2d').drawImage(image, left + (home % width) * cell, top + Math.floor(home / width) * cell, cell, cell, 0, 0, side, side);
    if (tile) element.replaceChildren(canvas, h('span', { class: 'number' }, tile));
    else element.append(canvas);
  }
}
