import type {PatternText} from './brace-expansion.ts';

/** A bracket expression of a shell pattern. */
export interface BashBracket {
  readonly has: (char: string) => boolean;
  /** Index after `]`. */
  readonly end: number;
}

/** Reads `[…]`; `start` is the index after `[`. Undefined: it is not closed, and `[` is literal. Source: bash(1), "Pattern Matching". */
export function readBashBracket(text: PatternText, start: number): BashBracket | undefined {
  const negated = isPlain(text, start, '!') || isPlain(text, start, '^');
  const first = negated ? start + 1 : start;
  const tests: ((char: string) => boolean)[] = [];
  for (let at = first; at < text.length;) {
    if (isPlain(text, at, ']') && at > first) {
      return {has: (char) => tests.some((test) => test(char)) !== negated, end: at + 1};
    }
    const member = readMember(text, at);
    tests.push(member.test);
    at = member.end;
  }
  return undefined;
}

interface Member {
  readonly test: (char: string) => boolean;
  readonly end: number;
}

function readMember(text: PatternText, at: number): Member {
  const named = readNamed(text, at);
  if (named?.kind === ':') return {test: (char) => CLASSES[named.name]?.test(char) === true, end: named.end};
  const first = readSingle(text, at);
  const dash = first.end;
  if (!isPlain(text, dash, '-') || text[dash + 1] === undefined || isPlain(text, dash + 1, ']')) {
    return {test: (char) => char === first.char, end: dash};
  }
  const last = readSingle(text, dash + 1);
  const [low, high] = [codeOf(first.char), codeOf(last.char)];
  return {test: (char) => codeOf(char) >= low && codeOf(char) <= high, end: last.end};
}

function readSingle(text: PatternText, at: number): {char: string; end: number} {
  const named = readNamed(text, at);
  return named === undefined ? {char: text[at]?.char ?? '', end: at + 1} : {char: named.name, end: named.end};
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

/** `[:alpha:]`, `[=e=]` or `[.-.]` at this place. */
function readNamed(text: PatternText, at: number): {kind: string; name: string; end: number} | undefined {
  const kind = [':', '=', '.'].find((mark) => isPlain(text, at, '[') && isPlain(text, at + 1, mark));
  if (kind === undefined) return undefined;
  for (let end = at + 2; end + 1 < text.length; end++) {
    if (!isPlain(text, end, kind) || !isPlain(text, end + 1, ']')) continue;
    const name = text
      .slice(at + 2, end)
      .map(({char}) => char)
      .join('');
    const known = kind === ':' ? CLASSES[name] !== undefined : Array.from(name).length === 1;
    return known ? {kind, name, end: end + 2} : undefined;
  }
  return undefined;
}

function isPlain(text: PatternText, at: number, wanted: string): boolean {
  const char = text[at];
  return char !== undefined && char.char === wanted && !char.quoted;
}

const CLASSES: Readonly<Record<string, RegExp | undefined>> = {
  alnum: /[\p{Alphabetic}\p{Nd}]/u,
  alpha: /\p{Alphabetic}/u,
  ascii: /[\0-\x7f]/,
  blank: /[ \t\p{Zs}]/u,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[^\s\p{C}]/u,
  lower: /\p{Lowercase}/u,
  print: /[^\p{C}]/u,
  punct: /[!-/:-@[-`{-~\p{P}\p{S}]/u,
  space: /\s/u,
  upper: /\p{Uppercase}/u,
  word: /[\p{Alphabetic}\p{Nd}_]/u,
  xdigit: /[0-9A-Fa-f]/,
};
