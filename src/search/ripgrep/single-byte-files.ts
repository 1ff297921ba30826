import {join} from 'node:path';
import type {GrepQuery} from '../engine.ts';
import type {FileLines} from '../grep-result.ts';
import {compileLineFinder} from '../line-matcher.ts';
import {matchedLines} from '../matched-lines.ts';
import {TextFileReader} from '../text-file.ts';

/** Returns whether a pattern looks for a character beyond ASCII: only then does the encoding of a file matter. */
export function looksBeyondAscii(pattern: string): boolean {
  return /[^\0-\x7f]|\\(?:[uU]|x[89a-f]|x\{|p\{)/i.test(pattern);
}

/** A file with bytes that are not UTF-8, for ripgrep: stray, missing or surplus continuation bytes, and forms that UTF-8 forbids. */
export const NOT_UTF8 =
  '(?-u:[\\xC0\\xC1\\xF5-\\xFF]|(?:^|[\\x00-\\x7F])[\\x80-\\xBF]|[\\xC2-\\xF4](?:[\\x00-\\x7F]|[\\xC2-\\xF4]|$)|[\\xC2-\\xDF][\\x80-\\xBF]{2}' +
  '|[\\xE0-\\xEF](?:[\\x80-\\xBF](?:[\\x00-\\x7F\\xC2-\\xF4]|$)|[\\x80-\\xBF]{3})' +
  '|[\\xF0-\\xF4](?:[\\x80-\\xBF]{1,2}(?:[\\x00-\\x7F\\xC2-\\xF4]|$)|[\\x80-\\xBF]{4})' +
  '|\\xE0[\\x80-\\x9F]|\\xED[\\xA0-\\xBF]|\\xF0[\\x80-\\x8F]|\\xF4[\\x90-\\xBF])';

/** Searches the files of a list that are read as Latin-1 or Windows-1252; the others are skipped. */
export async function grepSingleByte(folder: string, paths: readonly string[], query: GrepQuery): Promise<FileLines[]> {
  if (paths.length === 0) return [];
  const find = await compileLineFinder(query.pattern, {caseInsensitive: query.caseInsensitive, multiline: query.multiline});
  const reader = new TextFileReader({decodes: true});
  return paths.flatMap((path) => {
    const text = reader.read(join(folder, path), query.maxFileBytes);
    if (text === undefined || !reader.wasSingleByte) return [];
    const lines = find(text, query.maxMatches + 1);
    return [{path, lines: lines.length === 0 ? [] : matchedLines(text, lines, query)}];
  });
}
