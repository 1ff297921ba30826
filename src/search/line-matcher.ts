import type {RE2JS} from 're2js';
import type {TranslatedPattern, TranslateOptions} from './rust-regex/rust-reader.ts';
import {translateRustRegex} from './rust-regex/rust-regex.ts';

/** Finds the lines of a text (UTF-8) that a pattern matches, ascending, 1-based; at most `limit`. */
export type MatchFinder = (text: Buffer, limit: number) => number[];

/** Compiles a Rust pattern for the built-in engine. Throws BAD_ARGS. Searching takes time linear in the text. */
export async function compileLineFinder(pattern: string, options: TranslateOptions): Promise<MatchFinder> {
  const translated = translateRustRegex(pattern, options);
  const needle = translated.literal === undefined ? undefined : Buffer.from(translated.literal, 'utf8');
  if (translated.isLiteral && needle !== undefined && !translated.literal?.includes('\n'))
    return (text, limit) => literalLines(text, {needle, limit});
  const regex = await compile(translated, options.caseInsensitive);
  if (options.multiline) return (text, limit) => (misses(text, needle) ? [] : spannedLines(text.toString('utf8'), regex, limit));
  const find = (piece: string): boolean => regex.matcher(piece).find();
  // As in ripgrep, a carriage return within a line also ends what a match may span.
  const findWithin: LineTest = (line, hasLineFeed) => {
    if (!line.includes('\r')) return find(line);
    return (hasLineFeed && line.endsWith('\r') ? line.slice(0, -1) : line).split('\r').some(find);
  };
  const test: LineTest = translated.crlf ? findWithin : find;
  if (needle !== undefined) return (text, limit) => literalLines(text, {needle, limit, test});
  return (text, limit) => testedLines(text.toString('utf8'), test, limit);
}

/** Tests whether a line matches; the line is passed without its line feed. */
type LineTest = (line: string, hasLineFeed: boolean) => boolean;

async function compile({source}: TranslatedPattern, caseInsensitive: boolean): Promise<RE2JS> {
  const {RE2JS} = await import('re2js');
  const flags = RE2JS.MULTILINE | (caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0) | (source.includes('(?<') ? RE2JS.LOOKBEHINDS : 0);
  return RE2JS.compile(source, flags);
}

function misses(text: Buffer, needle: Buffer | undefined): boolean {
  return needle !== undefined && !text.includes(needle);
}

interface LiteralSearch {
  readonly needle: Buffer;
  readonly limit: number;
  readonly test?: LineTest;
}

/** Lines that contain the needle and pass the test. Only these are decoded. */
function literalLines(text: Buffer, {needle, limit, test}: LiteralSearch): number[] {
  const found: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(needle); at >= 0 && found.length < limit;) {
    const start = text.lastIndexOf(LINE_FEED, at) + 1;
    const next = text.indexOf(LINE_FEED, at);
    const end = next < 0 ? text.length : next;
    line += countLineFeeds(text, counted, start);
    counted = start;
    if (test === undefined || test(text.toString('utf8', start, end), next >= 0)) found.push(line);
    at = text.indexOf(needle, end);
  }
  return found;
}

const LINE_FEED = 0x0a;

function countLineFeeds(text: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED, start); at >= 0 && at < end; at = text.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

function testedLines(text: string, test: LineTest, limit: number): number[] {
  const found: number[] = [];
  let line = 1;
  for (let start = 0; start < text.length && found.length < limit; line++) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (test(text.slice(start, end), next >= 0)) found.push(line);
    start = end + 1;
  }
  return found;
}

/** All lines that a match touches; matches may span several. */
function spannedLines(text: string, regex: RE2JS, limit: number): number[] {
  const lines = new Set<number>();
  const matcher = regex.matcher(text);
  let line = 1;
  let counted = 0;
  while (lines.size < limit && matcher.find()) {
    const start = matcher.start();
    const last = Math.max(start, matcher.end() - 1);
    if (start >= text.length && (text === '' || text.endsWith('\n'))) break;
    for (; counted < start; counted++) if (text.charCodeAt(counted) === LINE_FEED) line++;
    lines.add(line);
    for (; counted < last; counted++) if (text.charCodeAt(counted) === LINE_FEED) lines.add(++line);
  }
  return [...lines].slice(0, limit);
}
