import {isDeeperThan, type Json} from '../../base/json.ts';
import {MAX_DEPTH, readJsonAt} from './json-reader.ts';

export interface LenientJson {
  readonly value: Json;
  /** Repairs, a few words each; empty for correct JSON. */
  readonly repairs: readonly string[];
}

/**
 * Reads the JSON that a model wrote as arguments. Repairs mistakes that have only one meaning: a code fence
 * around the JSON, a stray `{}` before it, JSON inside a JSON string, and those that {@link readJsonAt} accepts.
 * An empty text and null become `{}` (zblade tool calls › argument parsing). Throws BAD_ARGS with the position
 * of text that cannot be parsed; truncated JSON is never completed.
 */
export function readLenientJson(text: string): LenientJson {
  try {
    const value = JSON.parse(text) as Json;
    if (!isDeeperThan(value, MAX_DEPTH)) return unwrapped(value, []); // else the reader below reports the position
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const {start, end, repairs} = withoutWrapping(text);
  if (start === end) return {value: {}, repairs};
  const read = readJsonAt(text, start, end);
  return unwrapped(read.value, [...repairs, ...read.repairs]);
}

function unwrapped(value: Json, repairs: readonly string[]): LenientJson {
  if (value === null) return {value: {}, repairs: [...repairs, 'null read as {}']};
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return {value, repairs};
  const inner = readLenientJson(value);
  return {value: inner.value, repairs: [...repairs, 'JSON inside a string', ...inner.repairs]};
}

function withoutWrapping(text: string): {start: number; end: number; repairs: string[]} {
  const repairs: string[] = [];
  let start = text.length - text.trimStart().length;
  let end = Math.max(start, text.trimEnd().length);
  const fence = /^```\w*\s*/.exec(text.slice(start, end));
  if (fence !== null && end - start > fence[0].length + 2 && text.endsWith('```', end)) {
    repairs.push('code fence removed');
    start += fence[0].length;
    end = Math.max(start, text.slice(0, end - 3).trimEnd().length);
  }
  const stray = /^\{\s*\}\s*(?=\{)/.exec(text.slice(start, end));
  if (stray !== null) {
    repairs.push('stray {} removed');
    start += stray[0].length;
  }
  return {start, end, repairs};
}
