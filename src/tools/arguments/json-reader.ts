import {FettleError} from '../../base/errors.ts';
import type {Json} from '../../base/json.ts';

/**
 * Reads the JSON value between two positions of a text. Accepts trailing commas, raw control characters in
 * strings, and Python's True, False and None. Throws BAD_ARGS with the position (1-based, UTF-16 units) of the first character that
 * does not fit.
 */
export function readJsonAt(text: string, start: number, end: number): {value: Json; repairs: readonly string[]} {
  const cursor: Cursor = {text, end, at: start, repairs: new Set()};
  const value = readValue(cursor, 0);
  if (peek(cursor) !== '') fail(cursor, 'more text after its end');
  return {value, repairs: [...cursor.repairs]};
}

interface Cursor {
  readonly text: string;
  readonly end: number;
  readonly repairs: Set<string>;
  at: number;
}

/** Deeper than any meaningful argument, and far below the limit of recursion. */
export const MAX_DEPTH = 100;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|True|False|None/y;
const PYTHON: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function readValue(cursor: Cursor, depth: number): Json {
  const char = peek(cursor);
  if (depth > MAX_DEPTH) return fail(cursor, `more than ${MAX_DEPTH} levels`);
  if (char === '"') return readString(cursor);
  if (char === '[') {
    const items: Json[] = [];
    readMembers(cursor, ']', () => items.push(readValue(cursor, depth + 1)));
    return items;
  }
  if (char !== '{') return readLiteral(cursor);
  const members: [string, Json][] = [];
  readMembers(cursor, '}', () => {
    if (peek(cursor) !== '"') fail(cursor, 'a quoted name is expected');
    const name = readString(cursor);
    if (peek(cursor) !== ':') fail(cursor, '":" is expected');
    cursor.at += 1;
    members.push([name, readValue(cursor, depth + 1)]);
  });
  return Object.fromEntries(members);
}

function readMembers(cursor: Cursor, close: string, readMember: () => void): void {
  cursor.at += 1;
  while (peek(cursor) !== close) {
    readMember();
    if (peek(cursor) === ',') {
      cursor.at += 1;
      if (peek(cursor) === close) cursor.repairs.add('trailing comma');
    } else if (peek(cursor) !== close) fail(cursor, `"," or "${close}" is expected`);
  }
  cursor.at += 1;
}

function readString(cursor: Cursor): string {
  const from = cursor.at;
  let raw = '"';
  cursor.at += 1;
  while (cursor.at < cursor.end && cursor.text.charAt(cursor.at) !== '"') {
    const char = cursor.text.charAt(cursor.at);
    const width = char === '\\' ? 2 : 1;
    if (char < ' ') cursor.repairs.add('raw control characters in a string');
    raw += char < ' ' ? JSON.stringify(char).slice(1, -1) : cursor.text.slice(cursor.at, cursor.at + width);
    cursor.at += width;
  }
  if (cursor.at >= cursor.end) return cutOff(cursor, `, inside the string that begins at character ${from + 1}`);
  cursor.at += 1;
  try {
    return JSON.parse(`${raw}"`) as string;
  } catch {
    cursor.at = from;
    return fail(cursor, 'a wrong escape in the string');
  }
}

function readLiteral(cursor: Cursor): Json {
  LITERAL.lastIndex = cursor.at;
  const word = LITERAL.exec(cursor.text)?.[0];
  if (word === undefined) return fail(cursor, `unexpected ${JSON.stringify(cursor.text.charAt(cursor.at))}`);
  cursor.at += word.length;
  const value = PYTHON.get(word);
  if (value === undefined) return JSON.parse(word) as Json;
  cursor.repairs.add(`${word} is not JSON`);
  return value;
}

/** The next character that is not a blank, '' at the end; the cursor is on it. */
function peek(cursor: Cursor): string {
  while (cursor.at < cursor.end && ' \t\r\n'.includes(cursor.text.charAt(cursor.at))) cursor.at += 1;
  return cursor.at < cursor.end ? cursor.text.charAt(cursor.at) : '';
}

function fail(cursor: Cursor, what: string): never {
  if (cursor.at >= cursor.end) return cutOff(cursor, '');
  const message = `The arguments are not JSON: ${what} at character ${cursor.at + 1}.`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'Send the call again with correct JSON.'});
}

function cutOff(cursor: Cursor, where: string): never {
  const message = `The arguments are not JSON: they end at character ${cursor.end}${where}.`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'They were cut off: send the whole call again, with shorter arguments.'});
}
