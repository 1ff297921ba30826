import {parse} from 'smol-toml';
import type {ConfigPath} from './origin.ts';

/**
 * Finds the line of each key and list element of a TOML text that the parser has accepted. The parser gives values without positions;
 * this gives positions without values. The line of a path that is not in the text is the line of its nearest parent.
 */
export function tomlLines(text: string): (path: ConfigPath) => number {
  const scan: Scan = {text, at: 0, line: 1, counted: 0, lines: new Map(), tables: new Map()};
  let prefix: ConfigPath = [];
  for (skip(scan, SPACE); scan.at < text.length; skip(scan, SPACE)) {
    if (text[scan.at] === '[') prefix = header(scan);
    else keyValue(scan, prefix);
  }
  return (path) => lineOf(scan.lines, path);
}

interface Scan {
  readonly text: string;
  at: number;
  /** The line of offset `counted`; marks are made in the order of the text. */
  line: number;
  counted: number;
  readonly lines: Map<string, number>;
  /** The number of tables that an array of tables has so far. */
  readonly tables: Map<string, number>;
}

function lineOf(lines: ReadonlyMap<string, number>, path: ConfigPath): number {
  for (let length = path.length; length > 0; length--) {
    const line = lines.get(id(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return 1;
}

/** `[a.b]` and `[[a.b]]`: the table that the following keys belong to. */
function header(scan: Scan): ConfigPath {
  const array = scan.text.startsWith('[[', scan.at);
  const start = scan.at;
  scan.at += array ? 2 : 1;
  const names = keys(scan);
  skip(scan, CLOSING);
  const path: (string | number)[] = [];
  for (const [index, name] of names.entries()) {
    path.push(name);
    mark(scan, path, start);
    const count = scan.tables.get(id(path)) ?? 0;
    const opens = array && index === names.length - 1;
    if (opens) scan.tables.set(id(path), count + 1);
    if (opens) path.push(count);
    else if (count > 0) path.push(count - 1);
  }
  mark(scan, path, start);
  return path;
}

function keyValue(scan: Scan, prefix: ConfigPath): void {
  const start = scan.at;
  const path = [...prefix];
  for (const name of keys(scan)) {
    path.push(name);
    mark(scan, path, start);
  }
  skip(scan, EQUALS);
  value(scan, path);
  if (scan.at === start) scan.at++; // a text that no parser would accept: always advance
}

function keys(scan: Scan): string[] {
  const names: string[] = [];
  for (let key = skip(scan, KEY); key !== ''; key = skip(scan, KEY)) {
    names.push(keyName(key));
    skip(scan, BLANK);
    if (scan.text[scan.at] !== '.') break;
    scan.at++;
    skip(scan, BLANK);
  }
  return names;
}

/** The parser itself undoes the quoting. */
function keyName(written: string): string {
  return /^["']/.test(written) ? (Object.keys(parse(`${written} = 0`))[0] ?? written) : written;
}

function value(scan: Scan, path: ConfigPath): void {
  const first = scan.text[scan.at];
  if (first === '[') list(scan, path);
  else if (first === '{') inlineTable(scan, path);
  else if (skip(scan, STRING) === '') skip(scan, BARE);
}

function list(scan: Scan, path: ConfigPath): void {
  scan.at++;
  for (let index = 0; inside(scan, ']'); index++) {
    mark(scan, [...path, index], scan.at);
    value(scan, [...path, index]);
    skip(scan, COMMA);
  }
}

function inlineTable(scan: Scan, path: ConfigPath): void {
  scan.at++;
  while (inside(scan, '}')) {
    keyValue(scan, path);
    skip(scan, COMMA);
  }
}

/** True while there is another element before the closing bracket, which is taken. */
function inside(scan: Scan, close: string): boolean {
  skip(scan, SPACE);
  if (scan.at >= scan.text.length) return false;
  if (scan.text[scan.at] !== close) return true;
  scan.at++;
  return false;
}

/** Consumes the match of the pattern at the cursor; '' if it does not match. */
function skip(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text)?.[0] ?? '';
  scan.at += found.length;
  return found;
}

/** The first place counts: later parts of a table do not move it. */
function mark(scan: Scan, path: ConfigPath, offset: number): void {
  while (scan.counted < offset) {
    if (scan.text[scan.counted] === '\n') scan.line++;
    scan.counted++;
  }
  const key = id(path);
  if (!scan.lines.has(key)) scan.lines.set(key, scan.line);
}

function id(path: ConfigPath): string {
  return JSON.stringify(path);
}

const BLANK = /[ \t]*/y;
const SPACE = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const CLOSING = /[ \t]*\]{1,2}/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const COMMA = /(?:[ \t\r\n]+|#[^\n]*)*,?/y;
const KEY = /[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const STRING = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE = /[^,\]}#\n]+/y;
