/** One character of a pattern; a quoted one has no meaning but itself. */
export interface PatternChar {
  readonly char: string;
  readonly quoted: boolean;
}

export type PatternText = readonly PatternChar[];

/** More words than this are refused: `{1..9}{1..9}{1..9}{1..9}` is an attack or a mistake. */
const MOST_WORDS = 1024;

/** Expands braces as bash 5.2 does: lists, nested, empty members, ranges with step. Undefined: more than 1,024 words. */
export function expandBraces(text: PatternText): PatternText[] | undefined {
  try {
    return expand(text);
  } catch (error) {
    if (error === TOO_MANY) return undefined;
    throw error;
  }
}

/** The same for a text in which only a backslash quotes; it stays where it is. */
export function expandBracesIn(text: string): string[] | undefined {
  const chars = Array.from(text);
  const words = expandBraces(chars.map((char, at) => ({char, quoted: chars[at - 1] === '\\'})));
  return words?.map((word) => word.map(({char}) => char).join(''));
}

const TOO_MANY = new Error('too many words');

function expand(text: PatternText): PatternText[] {
  const open = findOpening(text);
  if (open === undefined) return [text];
  const close = findEnd(text, open + 1, '}');
  if (close === undefined) return [text];
  const inner = text.slice(open + 1, close);
  const words = inner.some((char) => isPlain(char, ',')) ? expandList(inner) : expandRange(inner);
  if (words === undefined && close + 1 >= text.length) return [text];
  const middle = words ?? [text.slice(open, close + 1)];
  return combine(combine([text.slice(0, open)], middle), close + 1 < text.length ? expand(text.slice(close + 1)) : [[]]);
}

function combine(left: readonly PatternText[], right: readonly PatternText[]): PatternText[] {
  if (left.length * right.length > MOST_WORDS) throw TOO_MANY;
  return left.flatMap((start) => right.map((end) => [...start, ...end]));
}

/** The first `{` that has its `}`. */
function findOpening(text: PatternText): number | undefined {
  for (let from = 0; ; from++) {
    const open = findEnd(text, from, '{');
    if (open === undefined || findEnd(text, open + 1, '}') !== undefined) return open;
    from = open;
  }
}

/** The next `wanted` at this level of nesting. A `}` ends only what has a comma or `..` in it. */
function findEnd(text: PatternText, start: number, wanted: string): number | undefined {
  let level = 0;
  let separators = wanted === '}' ? 0 : 1;
  for (let at = start; at < text.length; at++) {
    if (isPlain(text[at], '$') && isPlain(text[at + 1], '{')) {
      at++;
      level++;
    } else if (level === 0 && separators > 0 && isPlain(text[at], wanted) && !isEmptyPair(text, at)) return at;
    else if (level === 0 && separates(text, at, wanted)) separators++;
    else level = Math.max(0, level + nesting(text[at]));
  }
  return undefined;
}

function nesting(char: PatternChar | undefined): number {
  return isPlain(char, '{') ? 1 : isPlain(char, '}') ? -1 : 0;
}

/** `{}` at the start of a word stays, as in `find -exec`. */
function isEmptyPair(text: PatternText, at: number): boolean {
  return at === 0 && isPlain(text[0], '{') && isPlain(text[1], '}');
}

function separates(text: PatternText, at: number, wanted: string): boolean {
  if (wanted !== '}') return false;
  return isPlain(text[at], ',') || (isPlain(text[at], '.') && isPlain(text[at + 1], '.') && !isPlain(text[at + 2], '}'));
}

function isPlain(char: PatternChar | undefined, wanted: string): boolean {
  return char?.char === wanted && !char.quoted;
}

function expandList(inner: PatternText): PatternText[] {
  const words: PatternText[] = [];
  for (let start = 0; start <= inner.length;) {
    const end = findEnd(inner, start, ',') ?? inner.length;
    words.push(...expand(inner.slice(start, end)));
    if (words.length > MOST_WORDS) throw TOO_MANY;
    start = end + 1;
  }
  return words;
}

const RANGE = /^(?:([+-]?\d{1,15})\.\.([+-]?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.([+-]?\d{1,15}))?$/;

function expandRange(inner: PatternText): PatternText[] | undefined {
  if (inner.some(({quoted}) => quoted)) return undefined;
  const found = RANGE.exec(inner.map(({char}) => char).join(''));
  if (found === null) return undefined;
  const [, from, to, firstLetter, lastLetter, step] = found;
  const words =
    from !== undefined && to !== undefined
      ? count(Number(from), Number(to), step).map((value) => pad(value, paddingOf(from, to)))
      : count(codeOf(firstLetter), codeOf(lastLetter), step).map((code) => String.fromCharCode(code));
  return words.map((word) => Array.from(word, (char) => ({char, quoted: char === '\\' || char === '`'})));
}

function codeOf(letter: string | undefined): number {
  return letter?.charCodeAt(0) ?? 0;
}

function count(from: number, to: number, stepText: string | undefined): number[] {
  const size = Math.abs(Number(stepText ?? 1)) || 1;
  const length = Math.floor(Math.abs(to - from) / size) + 1;
  if (length > MOST_WORDS) throw TOO_MANY;
  const step = to < from ? -size : size;
  return Array.from({length}, (_, i) => from + i * step);
}

/** Width of the wider end where one of them starts with a zero. */
function paddingOf(from: string, to: string): number {
  const hasZero = /^-?0\d/.test(from) || /^-?0\d/.test(to);
  return hasZero ? Math.max(from.length, to.length) : 0;
}

function pad(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}
