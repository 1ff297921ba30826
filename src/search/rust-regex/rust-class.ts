/** `\w`, `\d`, `\s` of Rust regex in RE2 syntax, for use inside brackets. Source: UTS #18, as regex-syntax has it. */
const UNICODE: Readonly<Record<string, string>> = {
  w: '\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}',
  d: '\\p{Nd}',
  s: '\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}',
};
const ASCII: Readonly<Record<string, string>> = {w: '0-9A-Za-z_', d: '0-9', s: '\\t-\\r '};

/** `\w` and the like as an RE2 class. */
export function perlClass(letter: string, unicode: boolean): string {
  const inner = (unicode ? UNICODE : ASCII)[letter.toLowerCase()] ?? '';
  return letter === letter.toLowerCase() ? `[${inner}]` : `[^${inner}]`;
}

/** A class, for the places where RE2 has no syntax: nesting and set operations. Code points in ascending ranges. */
export type Ranges = readonly (readonly [number, number])[];

/** All code points that a class in the syntax of JavaScript's `v` mode has. Takes some ten milliseconds. */
export function rangesOf(classText: string, ignoreCase: boolean): Ranges {
  const test = new RegExp(classText, ignoreCase ? 'vi' : 'v');
  const ranges: [number, number][] = [];
  let current: [number, number] | undefined;
  for (let code = 0; code <= 0x10ffff; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || !test.test(String.fromCodePoint(code))) current = undefined;
    else if (current === undefined) ranges.push((current = [code, code]));
    else current[1] = code;
  }
  return ranges;
}

/** The ranges as an RE2 class. */
export function classOf(ranges: Ranges): string {
  const hex = (code: number): string => `\\x{${code.toString(16)}}`;
  if (ranges.length === 0) return '[^\\x{0}-\\x{10ffff}]';
  return `[${ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join('')}]`;
}

/** POSIX classes in the syntax of both engines. */
export const POSIX: Readonly<Record<string, string | undefined>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** `\w` and the like in the syntax of JavaScript's `v` mode. */
export function scriptClass(letter: string, unicode: boolean): string {
  const unicodeWord = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';
  const inner = {w: unicode ? unicodeWord : '[0-9A-Za-z_]', d: unicode ? '\\p{Nd}' : '0-9', s: unicode ? '\\p{White_Space}' : '\\t-\\r '}[
    letter.toLowerCase()
  ];
  return letter === letter.toLowerCase() ? `[${inner ?? ''}]` : `[^${inner ?? ''}]`;
}
