import {distance} from 'fastest-levenshtein';
import {splitIdentifier} from './humps.ts';

/**
 * How well a name fits what was asked for, from 0 (not at all) to 1: as it is written, but for upper and lower case, its beginning, the beginnings
 * of its words (`oCG` for `openCodeGraph`), a part of it, with one or two typing errors. Within each, less rest is better.
 */
export function nameScore(name: string, asked: string): number {
  if (name === asked) return 1;
  const [folded, low] = [name.toLowerCase(), asked.toLowerCase()];
  if (folded === low) return 0.98;
  const share = low.length / Math.max(folded.length, low.length);
  if (folded.startsWith(low)) return 0.8 + 0.1 * share + (name.startsWith(asked) ? 0.05 : 0);
  if (fitsHumps(name, asked)) return 0.65 + 0.1 * share;
  if (folded.includes(low)) return 0.45 + 0.1 * share;
  const errors = low.length < 3 ? 9 : distance(folded, low);
  if (errors === 1) return 0.35;
  return errors === 2 && low.length >= 5 ? 0.25 : 0;
}

/** Each word of the question is the beginning of a word of the name, in order and from the first on; upper case begins a word, or all letters do. */
function fitsHumps(name: string, asked: string): boolean {
  const words = splitIdentifier(name);
  const parts = splitIdentifier(asked);
  if (parts.length > 1 && startsInOrder(words, parts)) return true;
  return asked.length > 1 && /^\p{L}+$/u.test(asked) && startsInOrder(words, Array.from(asked.toLowerCase()));
}

function startsInOrder(words: readonly string[], parts: readonly string[]): boolean {
  if (words[0]?.startsWith(parts[0] ?? '') !== true) return false;
  let at = 1;
  for (const part of parts.slice(1)) {
    while (at < words.length && words[at]?.startsWith(part) !== true) at++;
    if (at >= words.length) return false;
    at++;
  }
  return true;
}
