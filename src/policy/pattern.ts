import {charge} from './budget.ts';

/** True if `text` matches `pattern`; `*` matches any run of characters, including none. No other character is special. */
export function fitsPattern(pattern: string, text: string): boolean {
  const first = pattern.indexOf('*');
  if (first === -1) return pattern === text;
  const last = pattern.lastIndexOf('*');
  const end = text.length - (pattern.length - last - 1);
  if (end < first || !text.startsWith(pattern.slice(0, first)) || !text.endsWith(pattern.slice(last + 1))) return false;
  return fitsBetween(pattern.slice(first + 1, last).split('*'), text, {first, end});
}

/** A pattern that is compared with many texts, taken apart once. */
export interface PatternParts {
  /** Up to the first star; the whole, if there is none. */
  readonly begins: string;
  /** The texts between stars. */
  readonly between: readonly string[];
  /** After the last star. Absent: there is no star. */
  readonly ends: string | undefined;
}

export function patternParts(pattern: string): PatternParts {
  const first = pattern.indexOf('*');
  if (first === -1) return {begins: pattern, between: [], ends: undefined};
  const last = pattern.lastIndexOf('*');
  return {begins: pattern.slice(0, first), between: pattern.slice(first + 1, last).split('*'), ends: pattern.slice(last + 1)};
}

/** The same as {@link fitsPattern}. */
export function fitsParts({begins, between, ends}: PatternParts, text: string): boolean {
  if (ends === undefined) return begins === text;
  const end = text.length - ends.length;
  if (end < begins.length || !text.endsWith(ends) || !text.startsWith(begins)) return false;
  return fitsBetween(between, text, {first: begins.length, end});
}

/** Text between two stars is matched at its first occurrence: that leaves the most for the rest. */
function fitsBetween(parts: readonly string[], text: string, {first, end}: {readonly first: number; readonly end: number}): boolean {
  let pos = first;
  for (const part of parts) {
    const found = text.indexOf(part, pos);
    charge(((found === -1 ? text.length : found) - pos) / CHARS_A_STEP);
    if (found === -1) return false;
    pos = found + part.length;
  }
  return pos <= end;
}

/** Characters searched in a step. */
const CHARS_A_STEP = 128;

/** Longer patterns are taken to meet: the question is asked for deny rules, where yes is the safe answer. */
const MAX_PATTERN = 1024;

/** True if some text matches both patterns: a shell glob (with its `?` and `[…]` as `*`) may name a denied file. */
export function patternsOverlap(one: string, other: string): boolean {
  if (!other.includes('*')) return fitsPattern(one, other);
  if (one.length > MAX_PATTERN || other.length > MAX_PATTERN) return true;
  charge((one.length * other.length) / CELLS_A_STEP);
  // reachable[j]: the part of `one` read so far and other[0..j) have a text in common.
  let reachable = new Uint8Array(other.length + 1);
  let next = new Uint8Array(other.length + 1);
  reachable[0] = 1;
  passStars(reachable, other);
  for (let at = 0; at < one.length; at += 1) {
    passChar(one[at], {reachable, next, other});
    passStars(next, other);
    [reachable, next] = [next, reachable];
  }
  return reachable[other.length] === 1;
}

const CELLS_A_STEP = 80;

interface Rows {
  readonly reachable: Uint8Array;
  /** Is written. */
  readonly next: Uint8Array;
  readonly other: string;
}

function passChar(char: string | undefined, {reachable, next, other}: Rows): void {
  let earlier = 0;
  for (let j = 0; j <= other.length; j += 1) {
    const before = reachable[j - 1] ?? 0;
    const here = reachable[j] ?? 0;
    earlier |= before;
    if (char === '*') next[j] = here | earlier;
    else next[j] = (before === 1 && other[j - 1] === char) || (here === 1 && other[j - 1] === '*') ? 1 : 0;
  }
}

/** A star of `other` may match nothing. */
function passStars(reachable: Uint8Array, other: string): void {
  for (let j = 1; j < reachable.length; j += 1) if (other[j - 1] === '*' && reachable[j - 1] === 1) reachable[j] = 1;
}
