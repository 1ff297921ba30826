import type {Json, JsonObject} from '../../base/json.ts';
import {take, type RawCall, type Reader} from './call-reader.ts';

/** Takes a call as Python writes it, with named arguments that are literals: `read(path="a.txt", limit=3)`. */
export function takePythonCall(reader: Reader): RawCall | undefined {
  const name = take(reader, /([A-Za-z_][\w.]{0,200})\(/y)?.[1];
  if (name === undefined) return undefined;
  const fields: JsonObject = {};
  for (;;) {
    take(reader, SPACE);
    if (take(reader, /\)/y) !== undefined) return {name, fields};
    const key = take(reader, /([A-Za-z_]\w{0,100})\s*[=:]\s*/y)?.[1];
    const value = key === undefined ? undefined : takeLiteral(reader, 0);
    if (key === undefined || value === undefined) return undefined;
    Object.assign(fields, {[key]: value});
    take(reader, SPACE);
    if (take(reader, /,/y) === undefined && reader.text[reader.at] !== ')') return undefined;
  }
}

const SPACE = /\s*/y;
const MAX_DEPTH = 20;

function takeLiteral(reader: Reader, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const text = takeString(reader);
  if (text !== undefined) return text;
  const word = take(reader, /(?:True|true|False|false|None|null)\b/y)?.[0];
  if (word !== undefined) return word.toLowerCase() === 'true' ? true : word.toLowerCase() === 'false' ? false : null;
  const number = take(reader, /-?\d{1,15}(?:\.\d{1,15})?\b/y)?.[0];
  if (number !== undefined) return Number(number);
  if (take(reader, /\[/y) !== undefined) return takeList(reader, depth);
  return take(reader, /\{/y) === undefined ? undefined : takeMap(reader, depth);
}

function takeString(reader: Reader): string | undefined {
  const triple = take(reader, /"""([\s\S]*?)"""|'''([\s\S]*?)'''/y);
  const found = triple ?? take(reader, /"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'/y);
  return found === undefined ? undefined : unescaped(found[1] ?? found[2] ?? '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? (/["'\\]/.test(char) ? char : `\\${char}`));
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', '\n': ''};

function takeList(reader: Reader, depth: number): Json | undefined {
  const items: Json[] = [];
  for (;;) {
    take(reader, SPACE);
    if (take(reader, /\]/y) !== undefined) return items;
    const item = takeLiteral(reader, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    take(reader, /\s*,?/y);
  }
}

function takeMap(reader: Reader, depth: number): Json | undefined {
  const fields = new Map<string, Json>();
  for (;;) {
    take(reader, SPACE);
    if (take(reader, /\}/y) !== undefined) return Object.fromEntries(fields);
    const key = takeString(reader);
    const colon = take(reader, /\s*:\s*/y);
    const value = key === undefined || colon === undefined ? undefined : takeLiteral(reader, depth + 1);
    if (key === undefined || value === undefined) return undefined;
    fields.set(key, value);
    take(reader, /\s*,?/y);
  }
}
