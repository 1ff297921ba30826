/**
 * TypeScript that the grammar does not know, said in words that it does, each place where it was: variance of type parameters (`in`, `out`),
 * `export type *`, type parameters called `type`, labels of tuples that are words of the language, and members without a semicolon before one
 * that begins with `<` (TypeScript: type arguments never begin a line). The text is walked once, whatever it holds.
 */
export function mendTypescript(text: string): string {
  let rewritten = '';
  let done = 0;
  for (let at = 0; at < text.length;) {
    const {put, next} = mendAt(text, at);
    if (put !== undefined) {
      rewritten += text.slice(done, put.at) + put.words;
      done = put.at + put.words.length;
    }
    at = next;
  }
  return done === 0 ? text : rewritten + text.slice(done);
}

interface Mend {
  /** What stands there instead. */
  readonly put?: {readonly at: number; readonly words: string};
  /** Where to look next. */
  readonly next: number;
}

function mendAt(text: string, at: number): Mend {
  const char = text[at] ?? '';
  const end = triviaEnd(text, at);
  if (end > at) return isMemberEnd(text, {at, end}) ? {put: {at, words: ';'}, next: end} : {next: end};
  if (char === '<' || char === ',') return blanked(text, {pattern: VARIANCE, at: triviaEnd(text, at + 1)});
  if (char === '[') return labelled(text, triviaEnd(text, at + 1));
  const isExport = char === 'e' && matchAt(EXPORT, text, at) > 0;
  if (isExport) return blanked(text, {pattern: TYPE, at: at + 'export'.length});
  if (char === 't' && matchAt(TYPE_NAME, text, at) > 0) return {put: {at, words: '_ype'}, next: at + 4};
  return {next: at + Math.max(1, matchAt(STRING, text, at))};
}

/** Between two members of a type that no semicolon parts. */
function isMemberEnd(text: string, {at, end}: {readonly at: number; readonly end: number}): boolean {
  if (text[end] !== '<' || !SPACE.test(text[at] ?? '')) return false;
  return ENDS.test(text.slice(Math.max(0, at - 2), at)) && text.slice(at, end).includes('\n');
}

/** The label of the first element of a tuple, where that is a word of the language: no name that anything else means. */
function labelled(text: string, at: number): Mend {
  return matchAt(LABEL, text, at) > 0 ? {put: {at, words: '_'}, next: at + 1} : {next: at};
}

function blanked(text: string, {pattern, at}: {readonly pattern: RegExp; readonly at: number}): Mend {
  const length = matchAt(pattern, text, at);
  return length === 0 ? {next: at} : {put: {at, words: ' '.repeat(length)}, next: at + length};
}

/** Behind the blanks and comments that begin here. */
function triviaEnd(text: string, start: number): number {
  for (let at = start; ;) {
    if (SPACE.test(text[at] ?? '')) at++;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2);
    else return at;
  }
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** How many characters match just there. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const SPACE = /\s/u;
/** The end of a type or a name; `=>` is none. */
const ENDS = /(?:[\p{L}\p{N}$_\])}'"`]|(?<!=)>)$/u;
const VARIANCE = /(?:in\s{1,9}out|in|out)\s{1,9}(?=(?:const\s{1,9})?[\p{L}$_][\p{L}\p{N}$_]{0,99}\s{0,99}(?:extends\b|[,>=]))/uy;
const EXPORT = /export(?=\s{1,9}type\s{0,9}\*)/uy;
const TYPE = /\s{1,9}type/uy;
const LABEL = /(?:any|bigint|boolean|never|new|number|object|string|symbol|unknown|void)(?=\s{0,9}\??:)/uy;
/** A type parameter of that name. */
const TYPE_NAME = /(?<![\w$.])type(?=\s{1,9}extends\s{1,9}[^\s=])/uy;
const STRING = /'(?:[^'\\\n]|\\.){0,999}'|"(?:[^"\\\n]|\\.){0,999}"/uy;
