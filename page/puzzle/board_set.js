// Sets of boards, as part of an address: the boards in any form, separated by semicolons.
import { formatBoard } from './board.js';

export const MAX_BOARDS = 50;

/** Formats boards as a set. */
export const formatSet = (boards) => boards.map(formatBoard).join(';');

/**
 * Parses a set and the number of one of its boards, from 1: {texts, number, faults}. `texts` are the boards, not yet
 * read; `faults` describe what is wrong with the set or the number.
 */
export function parseSet(text, numberText = '1') {
  const all = text.split(/[;\n]/).map((board) => board.trim()).filter(Boolean);
  const texts = all.slice(0, MAX_BOARDS);
  const faults = [];
  if (texts.length === 0) faults.push('The set in this link has no boards.');
  if (all.length > MAX_BOARDS) faults.push(`The set in this link has ${all.length} boards; the first ${MAX_BOARDS} are shown.`);
  const isValid = /^\d{1,3}$/.test(numberText) && Number(numberText) >= 1 && Number(numberText) <= texts.length;
  if (texts.length && !isValid) faults.push(`There is no board “${numberText}” in this set; it has boards 1 to ${texts.length}.`);
  return { texts, number: isValid ? Number(numberText) : 1, faults };
}
