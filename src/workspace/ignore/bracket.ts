/** A bracket expression: the bytes that it matches, and the position after it. */
export interface Bracket {
  /** 256 entries, 1 for a byte that matches. */
  readonly bytes: Uint8Array;
  readonly end: number;
}

/**
 * Reads `[…]` of a git pattern; `start` is the index after `[`. Undefined: the bracket is not closed or names an unknown class,
 * and then git matches nothing with the whole pattern. Source: wildmatch.c of git; `/` is never matched.
 */
export function parseBracket(pattern: string, start: number, ignoreCase: boolean): Bracket | undefined {
  const bytes = new Uint8Array(256);
  const negated = pattern[start] === '!' || pattern[start] === '^';
  let at = negated ? start + 1 : start;
  let previous = 0;
  do {
    const member = readMember(pattern, at, previous);
    if (member === undefined) return undefined;
    member.add(bytes, ignoreCase);
    previous = member.previous;
    at = member.next;
  } while (pattern[at] !== ']');
  if (negated) for (let byte = 0; byte < 256; byte++) bytes[byte] = bytes[byte] === 1 ? 0 : 1;
  bytes[SLASH] = 0;
  return {bytes, end: at + 1};
}

interface Member {
  readonly next: number;
  /** The character at which a range with a following `-` starts; 0: the `-` is literal. */
  readonly previous: number;
  add(bytes: Uint8Array, ignoreCase: boolean): void;
}

const SLASH = 0x2f;

function readMember(pattern: string, at: number, previous: number): Member | undefined {
  const char = pattern[at];
  if (char === undefined) return undefined;
  if (char === '\\') return at + 1 < pattern.length ? single(pattern.charCodeAt(at + 1), at + 2) : undefined;
  const after = pattern[at + 1];
  if (char === '-' && previous !== 0 && after !== undefined && after !== ']') return readRange(pattern, at + 1, previous);
  if (char === '[' && after === ':') return readClass(pattern, at);
  return single(char.charCodeAt(0), at + 1);
}

function readRange(pattern: string, at: number, first: number): Member | undefined {
  const last = pattern[at] === '\\' ? at + 1 : at;
  if (last >= pattern.length) return undefined;
  const high = pattern.charCodeAt(last);
  return {
    next: last + 1,
    previous: 0,
    add(bytes, ignoreCase) {
      for (let byte = first; byte <= high; byte++) bytes[byte] = 1;
      if (ignoreCase) for (let byte = Math.max(first, 0x41); byte <= Math.min(high, 0x5a); byte++) bytes[byte + 32] = 1;
    },
  };
}

function readClass(pattern: string, at: number): Member | undefined {
  const close = pattern.indexOf(']', at + 2);
  if (close < 0) return undefined;
  if (close === at + 2 || pattern[close - 1] !== ':') return single(0x5b, at + 1);
  const name = pattern.slice(at + 2, close - 1);
  const test = CLASSES[name];
  if (test === undefined) return undefined;
  return {
    next: close + 1,
    previous: 0,
    add(bytes, ignoreCase) {
      for (let byte = 0; byte < 128; byte++) if (test.test(String.fromCharCode(byte))) bytes[byte] = 1;
      if (ignoreCase && name === 'upper') for (let byte = 0x61; byte <= 0x7a; byte++) bytes[byte] = 1;
    },
  };
}

function single(byte: number, next: number): Member {
  return {
    next,
    previous: byte,
    add(bytes) {
      bytes[byte] = 1;
    },
  };
}

const CLASSES: Readonly<Record<string, RegExp | undefined>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // oxlint-disable-next-line no-control-regex
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};
