import {type RustCursor, type RustFlags, PatternProblem} from './rust-cursor.ts';
import {classOf, POSIX, rangesOf} from './rust-class.ts';
import {readEscape} from './rust-escape.ts';

/** Reads a class after its `[` and gives it in RE2 syntax. What RE2 cannot say (nesting, `&&`, `--`, `~~`) is computed. */
export function readClass(cursor: RustCursor, flags: RustFlags): string {
  const read = readSet(cursor, flags);
  return read.plain ?? classOf(rangesOf(read.script, flags.ignoreCase));
}

interface ReadSet {
  /** In JavaScript's `v` mode, with brackets. */
  readonly script: string;
  /** In RE2 syntax with brackets, where it can be said there. */
  readonly plain: string | undefined;
}

/** A part of a class without its brackets. */
interface Part {
  readonly script: string;
  readonly plain: string | undefined;
}

function readSet(cursor: RustCursor, flags: RustFlags): ReadSet {
  cursor.skipBlanks(flags);
  const caret = cursor.eat('^') ? '^' : '';
  let left = readUnion(cursor, flags, true);
  while (!cursor.eat(']')) {
    const operator = cursor.take() + cursor.take();
    const right = readUnion(cursor, flags, false);
    left = {script: combine(left.script, operator, right.script), plain: undefined};
  }
  return {script: `[${caret}${left.script}]`, plain: left.plain === undefined || left.plain === '' ? undefined : `[${caret}${left.plain}]`};
}

function combine(left: string, operator: string, right: string): string {
  if (operator === '~~') return `[[${left}]--[${right}]][[${right}]--[${left}]]`;
  return `[[${left}]${operator}[${right}]]`;
}

function readUnion(cursor: RustCursor, flags: RustFlags, isFirst: boolean): Part {
  const parts: Part[] = [];
  cursor.skipBlanks(flags);
  if (isFirst) while (cursor.peek() === '-') parts.push(charPart(cursor.take()));
  if (isFirst && parts.length === 0 && cursor.peek() === ']') parts.push(charPart(cursor.take()));
  for (cursor.skipBlanks(flags); cursor.peek() !== ']' && !isOperator(cursor); cursor.skipBlanks(flags)) {
    if (cursor.peek() === undefined) throw new PatternProblem('unclosed character class');
    parts.push(readPart(cursor, flags));
  }
  const isPlain = parts.every(({plain}) => plain !== undefined);
  return {script: parts.map(({script}) => script).join(''), plain: isPlain ? parts.map(({plain}) => plain).join('') : undefined};
}

function isOperator(cursor: RustCursor): boolean {
  const char = cursor.peek();
  return char !== undefined && '&-~'.includes(char) && cursor.peek(1) === char;
}

function readPart(cursor: RustCursor, flags: RustFlags): Part {
  if (cursor.eat('[')) {
    const posix = readPosix(cursor);
    if (posix !== undefined) return posix;
    const {script} = readSet(cursor, flags);
    return {script, plain: undefined};
  }
  const first = readItem(cursor, flags);
  cursor.skipBlanks(flags);
  const next = cursor.peek(1);
  const isRange = cursor.peek() === '-' && next !== ']' && next !== '-' && next !== undefined;
  if (isRange) return readRange(cursor, flags, first);
  return typeof first === 'string' ? charPart(first) : first;
}

function readRange(cursor: RustCursor, flags: RustFlags, first: string | Part): Part {
  cursor.take();
  cursor.skipBlanks(flags);
  const last = readItem(cursor, flags);
  if (typeof first !== 'string' || typeof last !== 'string') throw new PatternProblem('invalid range boundary, must be a literal');
  if ((first.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0)) {
    throw new PatternProblem('invalid character class range, the start must be <= the end');
  }
  return {script: `${scriptChar(first)}-${scriptChar(last)}`, plain: `${plainChar(first)}-${plainChar(last)}`};
}

function readItem(cursor: RustCursor, flags: RustFlags): string | Part {
  const char = cursor.take();
  if (char !== '\\') return char;
  const escape = readEscape(cursor, flags);
  if (escape.kind === 'char') return escape.char;
  if (escape.kind === 'assertion') throw new PatternProblem('invalid escape sequence in character class');
  return {script: escape.script, plain: escape.source.startsWith('[^') ? undefined : escape.source.slice(1, -1)};
}

/** `[:alpha:]` after its first bracket; undefined: it is a nested class. */
function readPosix(cursor: RustCursor): Part | undefined {
  const start = cursor.at;
  if (cursor.eat(':')) {
    const negated = cursor.eat('^');
    let name = '';
    while (/^[a-z]$/.test(cursor.peek() ?? '')) name += cursor.take();
    const inner = POSIX[name];
    if (inner !== undefined && cursor.eat(':]')) {
      return negated ? {script: `[^${inner}]`, plain: undefined} : {script: `[${inner}]`, plain: inner};
    }
  }
  cursor.at = start;
  return undefined;
}

function charPart(char: string): Part {
  return {script: scriptChar(char), plain: plainChar(char)};
}

function scriptChar(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

export function plainChar(char: string): string {
  return /^[0-9A-Za-z]$/.test(char) ? char : `\\x{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
