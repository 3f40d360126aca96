// The parts of links, except boards and moves, which the views read with the engine.
import { note } from '../parts/controls.js';
import { parseSize, sizeText } from '../puzzle/board.js';
import { ALGORITHMS, HEURISTICS } from '../puzzle/choices.js';
import { goalOf } from '../puzzle/goals.js';
import { parseBoard } from '../puzzle/parse.js';
import { readRows } from '../puzzle/rows.js';

export const oneOf = (...names) => (text) => names.includes(text);
const isStep = (text) => /^\d{1,7}$/.test(text);
const isSearch = oneOf(...ALGORITHMS.map(([name]) => name));
const isGuide = oneOf(...HEURISTICS, 'matrix');
const isWeight = (text) => /^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) >= 1;
const isPicture = oneOf('tree', 'layers');

/** Parts of links: what each is called, and whether a text is valid. A function of two arguments gets the size too. */
const PARTS = {
  size: ['a size, such as 4x4, with sides of 2 to 16 cells', (text) => parseSize(text) !== null],
  goal: ['a goal of this size', (text, size) => goalOf(text, size ?? parseBoard(text, null, true).board ?? { width: 4, height: 4 }) !== null],
  rows: ['a list of rows', (text) => readRows(text) !== null],
  by: ['a measure', oneOf('expanded', 'bytes', 'ms')],
  scale: ['a scale', oneOf('linear', 'log')],
  algorithm: ['an algorithm', isSearch], algorithm2: ['an algorithm', isSearch],
  heuristic: ['a heuristic', isGuide], heuristic2: ['a heuristic', isGuide],
  weight: ['a weight of 1 or more', isWeight], weight2: ['a weight of 1 or more', isWeight],
  picture: ['a picture', isPicture], picture2: ['a picture', isPicture],
  step: ['a number of a step', isStep], at: ['a number of moves', isStep],
  metric: ['a metric, stm or mtm', oneOf('stm', 'mtm')],
};

/** Returns the parts of a link that are valid, and puts a note about the others into `root`. `more` are parts of one view only. */
export function validParts(given, root, more = {}) {
  const known = { ...PARTS, ...more };
  const size = given.board ? parseBoard(given.board, parseSize(given.size)).board : parseSize(given.size);
  const isDamaged = ([name, text]) => Object.hasOwn(known, name) && text !== '' && !known[name][1](text, size);
  const damaged = Object.entries(given).filter(isDamaged);
  const faults = damaged.map(([name, text]) => `“${text.slice(0, 40)}” is not ${known[name][0]}${name === 'goal' && size ? ` (${sizeText(size)})` : ''}.`);
  if (faults.length) root.append(note('bad', 'A part of this link is damaged and left out.', faults.join(' '), { role: 'alert' }));
  return Object.fromEntries(Object.entries(given).filter((part) => !isDamaged(part)));
}

/** Describes a board of a link that cannot be read. */
export const boardFault = ({ message }) => note('bad', 'The board in this link cannot be read.', message, { role: 'alert' });
