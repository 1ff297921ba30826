import {spend} from './work.ts';

/** True where `text` fits `pattern`; `*` stands for any run of characters, also none. No other character is special. Linear in practice. */
export function fitsPattern(pattern: string, text: string): boolean {
  let [at, star, resume] = [0, -1, 0];
  let end = BLOCK;
  let pos = 0;
  while (pos < text.length) {
    if (pattern[at] === '*') {
      [star, resume] = [at, pos];
      at += 1;
    } else if (pattern[at] === text[pos]) {
      at += 1;
      pos += 1;
    } else if (star === -1) {
      return false;
    } else {
      resume += 1;
      [at, pos] = [star + 1, resume];
      // What was read in vain is read again.
      end -= 1;
      if (end === 0) {
        spend(BLOCK / STEPS_A_COMPARISON);
        end = BLOCK;
      }
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** Failures of a comparison after which it is counted, and how many of them are a step. */
const BLOCK = 256;
const STEPS_A_COMPARISON = 64;

/** Longer patterns are taken to meet: the question is asked for deny rules, where yes is the safe answer. */
const MAX_PATTERN = 1024;

/** True where some text fits both patterns: a shell glob (its `?` and `[…]` given as `*`) may name a denied file. */
export function patternsMeet(one: string, other: string): boolean {
  if (!other.includes('*')) return fitsPattern(one, other);
  if (one.length > MAX_PATTERN || other.length > MAX_PATTERN) return true;
  spend((one.length * other.length) / CELLS_A_STEP);
  // reachable[j]: the part of `one` read so far and other[0..j) have a text in common.
  let reachable = starClosure([true, ...Array.from(other, () => false)], other);
  for (const char of one) {
    let earlier = false;
    const next = reachable.map((here, j) => {
      const before = j > 0 && reachable[j - 1] === true;
      earlier ||= before;
      if (char === '*') return here || earlier;
      return (before && other[j - 1] === char) || (here && other[j - 1] === '*');
    });
    reachable = starClosure(next, other);
  }
  return reachable[other.length] ?? false;
}

const CELLS_A_STEP = 40;

/** A star of `other` may stand for nothing. */
function starClosure(reachable: boolean[], other: string): boolean[] {
  for (let j = 1; j < reachable.length; j += 1) if (other[j - 1] === '*' && reachable[j - 1] === true) reachable[j] = true;
  return reachable;
}
