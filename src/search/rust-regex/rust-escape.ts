import {type RustCursor, type RustFlags, PatternProblem} from './rust-cursor.ts';
import {classOf, perlClass, rangesOf, scriptClass} from './rust-class.ts';

/** The meaning of a backslash escape. */
export type Escape =
  | {readonly kind: 'char'; readonly char: string}
  /** A class: for RE2 with brackets, and in JavaScript's `v` mode. */
  | {readonly kind: 'class'; readonly source: string; readonly script: string}
  | {readonly kind: 'assertion'; readonly source: string};

/** Reads an escape after its backslash. */
export function readEscape(cursor: RustCursor, flags: RustFlags): Escape {
  const char = cursor.take();
  if (/\d/.test(char)) throw new PatternProblem('backreferences are not supported');
  if (/[dDsSwW]/.test(char)) return {kind: 'class', source: perlClass(char, flags.unicode), script: scriptClass(char, flags.unicode)};
  if (char === 'p' || char === 'P') return readProperty(cursor, char === 'P');
  if (char === 'x' || char === 'u' || char === 'U') return {kind: 'char', char: readCode(cursor, char)};
  if (char === 'b' && cursor.eat('{')) return readWordPlace(cursor, flags);
  return readSimple(char, flags);
}

function readSimple(char: string, flags: RustFlags): Escape {
  const source = ASSERTIONS[char] ?? wordPlaces(flags)[WORD_MARKS[char] ?? ''];
  if (source !== undefined) return {kind: 'assertion', source};
  const control = CONTROLS[char];
  if (control === undefined && !/[!-/:;=?@[-`{-~ ]/.test(char)) throw new PatternProblem('unrecognized escape sequence');
  return {kind: 'char', char: control ?? char};
}

const CONTROLS: Readonly<Record<string, string | undefined>> = {n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\u0007'};
const ASSERTIONS: Readonly<Record<string, string | undefined>> = {b: '\\b', B: '\\B', A: '\\A', z: '\\z'};
const WORD_MARKS: Readonly<Record<string, string | undefined>> = {'<': 'start', '>': 'end'};

/** At a word boundary the character before it shows whether a word starts or ends. */
function wordPlaces({unicode}: RustFlags): Readonly<Record<string, string | undefined>> {
  const word = perlClass('w', unicode);
  return {start: `(?:\\b(?<!${word}))`, end: `(?:\\b(?<=${word}))`, 'start-half': `(?<!${word})`};
}

function readWordPlace(cursor: RustCursor, flags: RustFlags): Escape {
  const source =
    wordPlaces(flags)[cursor.takeUntil('}', 'special word boundary assertion is either unclosed or contains an invalid character')];
  if (source === undefined) throw new PatternProblem('unrecognized special word boundary assertion');
  return {kind: 'assertion', source};
}

function readCode(cursor: RustCursor, letter: 'x' | 'u' | 'U'): string {
  const length = {x: 2, u: 4, U: 8}[letter];
  const digits = cursor.eat('{')
    ? cursor.takeUntil('}', 'unclosed hexadecimal escape')
    : Array.from({length}, () => cursor.take()).join('');
  const code = /^[0-9A-Fa-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff))
    throw new PatternProblem('hexadecimal literal is not a Unicode scalar value');
  return String.fromCodePoint(code);
}

function readProperty(cursor: RustCursor, isUpper: boolean): Escape {
  const written = cursor.eat('{') ? cursor.takeUntil('}', 'invalid Unicode character class') : cursor.take();
  const name = written.replace(/:|!=/, '=');
  for (const candidate of nameForms(name)) {
    const script = `\\${isUpper !== written.includes('!=') ? 'P' : 'p'}{${candidate}}`;
    const source = propertySource(script, candidate);
    if (source !== undefined) return {kind: 'class', source, script};
  }
  throw new PatternProblem('Unicode property not found');
}

/** RE2 knows the general categories itself; all else is looked up code point by code point. */
function propertySource(script: string, name: string): string | undefined {
  if (/^[CLMNPSZ][a-z]?$/.test(name) && name !== 'Cn' && name !== 'C') return `[${script}]`;
  try {
    return classOf(rangesOf(script, false));
  } catch {
    return undefined; // JavaScript does not know the name in this form
  }
}

/** Rust takes names in any case, with blanks or underscores; JavaScript accepts one form. */
function nameForms(name: string): string[] {
  const title = (text: string): string =>
    text
      .trim()
      .split(/[\s_-]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
      .join('_');
  const [left = '', right] = name.split('=', 2);
  if (right === undefined) return [left, title(left), `Script=${title(left)}`, left.toUpperCase()];
  const key = {sc: 'Script', script: 'Script', scx: 'Script_Extensions', gc: 'General_Category', generalcategory: 'General_Category'}[
    left.toLowerCase().replaceAll(/[\s_-]/g, '')
  ];
  return [`${key ?? left}=${title(right)}`, `${key ?? left}=${right}`];
}
