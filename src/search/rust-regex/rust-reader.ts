import {takesCrlf} from '../line-end-patterns.ts';
import {plainChar, readClass} from './rust-class-reader.ts';
import {PatternProblem, RustCursor, type RustFlags} from './rust-cursor.ts';
import {readEscape} from './rust-escape.ts';

/** A pattern of Rust's regex crate in the syntax of RE2. */
export interface TranslatedPattern {
  readonly source: string;
  /** Text that every match contains, undefined if none is known: files without it need no regex. */
  readonly literal: string | undefined;
  /** The pattern is nothing but this text. */
  readonly isLiteral: boolean;
  /** CRLF ends a line as LF does: the pattern names no carriage return, or has the flag `(?R)`. */
  readonly crlf: boolean;
}

export interface TranslateOptions {
  readonly caseInsensitive: boolean;
  /** Else a line feed in the pattern is an error: no line contains one. */
  readonly multiline: boolean;
}

/** Goes through a pattern once and writes it in RE2 syntax. */
export class RustReader {
  private readonly cursor: RustCursor;
  private readonly options: TranslateOptions;
  private readonly literals = new LiteralFinder();
  private crlf: boolean;

  constructor(pattern: string, options: TranslateOptions) {
    this.cursor = new RustCursor(pattern);
    this.options = options;
    this.crlf = takesCrlf(pattern);
  }

  /** 1-based, by code points. */
  get position(): number {
    return this.cursor.at + 1;
  }

  translate(): TranslatedPattern {
    const flags = {ignoreCase: this.options.caseInsensitive, verbose: false, unicode: true, crlf: this.crlf, dotAll: false};
    const source = this.readAlternatives(flags, 0);
    if (this.cursor.peek() !== undefined) throw new PatternProblem('unopened group');
    return {source, ...this.literals.result(), crlf: this.crlf};
  }

  private readAlternatives(start: RustFlags, depth: number): string {
    if (depth > DEEPEST) throw new PatternProblem('exceeds the maximum number of nested parentheses/brackets');
    let flags = start;
    let source = '';
    for (;;) {
      this.cursor.skipBlanks(flags);
      const char = this.cursor.peek();
      if (char === undefined || char === ')') return source;
      if (this.cursor.eat('|')) {
        source += '|';
        if (depth === 0) this.literals.giveUp();
      } else if (char === '(' && this.cursor.peek(1) === '?' && this.isFlagGroup()) {
        const change = this.readFlags(flags);
        flags = change.flags;
        source += change.source;
        this.literals.breakOff();
      } else source += this.readRepeated(flags, depth);
    }
  }

  private readRepeated(flags: RustFlags, depth: number): string {
    const atom = this.readAtom(flags, depth);
    let source = atom.source;
    let least = 1;
    let repeated = false;
    for (let count = this.readCount(flags); count !== undefined; count = this.readCount(flags)) {
      source = `${repeated || atom.literal === undefined ? `(?:${source})` : source}${count.source}`;
      least *= count.least;
      repeated = true;
    }
    if (depth === 0) this.literals.add(atom.literal, {least, repeated});
    return source;
  }

  private readCount(flags: RustFlags): {source: string; least: number} | undefined {
    this.cursor.skipBlanks(flags);
    const char = this.cursor.peek();
    if (char === undefined || !'*+?{'.includes(char)) return undefined;
    this.cursor.take();
    const count = char === '{' ? readBounds(this.cursor) : {source: char, least: char === '+' ? 1 : 0};
    this.cursor.skipBlanks(flags);
    return this.cursor.eat('?') ? {...count, source: `${count.source}?`} : count;
  }

  private readAtom(flags: RustFlags, depth: number): {source: string; literal?: string} {
    const char = this.cursor.take();
    if ('*+?{'.includes(char)) throw new PatternProblem('repetition operator missing expression');
    if (char === '(') return {source: this.readGroup(flags, depth)};
    if (char === '[') return {source: readClass(this.cursor, flags)};
    if (char === '.') return {source: flags.crlf && !flags.dotAll ? '[^\\r\\n]' : '.'};
    if (char === '^' || char === '$') return {source: this.anchor(char, flags)};
    if (char !== '\\') return this.literal(char, flags);
    return this.escaped(flags);
  }

  /** A line that is searched for itself comes without its carriage return. */
  private anchor(char: string, {crlf}: RustFlags): string {
    return char === '$' && crlf && this.options.multiline ? '(?:\\r$|(?<!\\r)$)' : char;
  }

  private escaped(flags: RustFlags): {source: string; literal?: string} {
    const escape = readEscape(this.cursor, flags);
    if (escape.kind === 'char') return this.literal(escape.char, flags);
    const isAsciiClass = escape.kind === 'class' && flags.ignoreCase && !flags.unicode;
    return {source: isAsciiClass ? `(?-i:${escape.source})` : escape.source};
  }

  private literal(char: string, flags: RustFlags): {source: string; literal?: string} {
    if (char === '\n' && !this.options.multiline) throw new PatternProblem('the literal "\\n" is not allowed in a regex');
    if (!flags.ignoreCase) return {source: plainChar(char), literal: char};
    const letters = /[A-Za-z]/.test(char) && !flags.unicode ? `[${char.toLowerCase()}${char.toUpperCase()}]` : undefined;
    return {source: letters === undefined ? `(?:${plainChar(char)})` : `(?-i:${letters})`};
  }

  private readGroup(flags: RustFlags, depth: number): string {
    const change = this.readOpening(flags);
    const inner = this.readAlternatives(change.flags, depth + 1);
    if (!this.cursor.eat(')')) throw new PatternProblem('unclosed group');
    return `${change.source}${inner})`;
  }

  private readOpening(flags: RustFlags): {source: string; flags: RustFlags} {
    for (const look of ['?=', '?!', '?<=', '?<!']) {
      if (this.cursor.eat(look)) throw new PatternProblem('look-around, including look-ahead and look-behind, is not supported');
    }
    if (this.cursor.eat('?P<') || this.cursor.eat('?<')) {
      const name = this.cursor.takeUntil('>', 'unclosed capture group name');
      if (!/^[\p{L}_][\p{L}\p{N}_.[\]]*$/u.test(name))
        throw new PatternProblem(name === '' ? 'empty capture group name' : 'invalid capture group character');
      return {source: '(', flags};
    }
    if (!this.cursor.eat('?')) return {source: '(', flags};
    const change = this.readFlagLetters(flags);
    if (!this.cursor.eat(':')) throw new PatternProblem('unrecognized flag');
    return {source: `(?${change.letters}:`, flags: change.flags};
  }

  /** True if `(?` is followed by flags and a closing parenthesis. */
  private isFlagGroup(): boolean {
    let ahead = 2;
    while (/^[imsUuxR-]$/.test(this.cursor.peek(ahead) ?? '')) ahead++;
    return ahead > 2 && this.cursor.peek(ahead) === ')';
  }

  private readFlags(flags: RustFlags): {source: string; flags: RustFlags} {
    this.cursor.eat('(?');
    const change = this.readFlagLetters(flags);
    this.cursor.eat(')');
    return {source: change.letters === '' ? '' : `(?${change.letters})`, flags: change.flags};
  }

  /** Flags that RE2 has keep their letter, the others are worked in here. */
  private readFlagLetters(start: RustFlags): {letters: string; flags: RustFlags} {
    let flags = start;
    let on = true;
    const letters = {on: '', off: ''};
    while (/^[imsUuxR-]$/.test(this.cursor.peek() ?? '')) {
      const letter = this.cursor.take();
      if (letter === '-') on = false;
      else if ('imsU'.includes(letter)) letters[on ? 'on' : 'off'] += letter;
      flags = withFlag(flags, letter, on);
    }
    this.crlf ||= flags.crlf;
    return {letters: letters.off === '' ? letters.on : `${letters.on}-${letters.off}`, flags};
  }
}

const DEEPEST = 250;

function withFlag(flags: RustFlags, letter: string, on: boolean): RustFlags {
  if (letter === 'i') return {...flags, ignoreCase: on};
  if (letter === 'x') return {...flags, verbose: on};
  if (letter === 'u') return {...flags, unicode: on};
  if (letter === 's') return {...flags, dotAll: on};
  return letter === 'R' ? {...flags, crlf: on} : flags;
}

/** `{2}`, `{2,}`, `{,3}` or `{2,3}` after the brace. RE2 counts to 1,000. */
function readBounds(cursor: RustCursor): {source: string; least: number} {
  const text = cursor.takeUntil('}', 'unclosed counted repetition').replaceAll(/\s/g, '');
  if (!/^(?:\d+(?:,\d*)?|,\d+)$/.test(text)) throw new PatternProblem('repetition quantifier expects a valid decimal');
  const [low = '', high = low] = text.split(',', 2);
  const most = high === '' ? Infinity : Number(high);
  if (most < Number(low)) throw new PatternProblem('invalid repetition count range, the start must be <= the end');
  if (Number(low) > 1000 || (most > 1000 && most < Infinity)) throw new PatternProblem('a repetition count above 1000 needs ripgrep');
  return {source: `{${Number(low)}${text.includes(',') ? `,${high}` : ''}}`, least: Number(low)};
}

/** Finds the longest text that every match of the pattern contains. */
class LiteralFinder {
  private run = '';
  private longest = '';
  private isWhole = true;
  private hopeless = false;

  add(literal: string | undefined, {least, repeated}: {least: number; repeated: boolean}): void {
    if (literal !== undefined && least > 0) this.run += literal;
    if (literal === undefined || repeated) this.breakOff();
  }

  breakOff(): void {
    this.isWhole = false;
    if (this.run.length > this.longest.length) this.longest = this.run;
    this.run = '';
  }

  giveUp(): void {
    this.isWhole = false;
    this.hopeless = true;
  }

  result(): {literal: string | undefined; isLiteral: boolean} {
    const isLiteral = this.isWhole && this.run !== '';
    if (!isLiteral) this.breakOff();
    const literal = isLiteral ? this.run : this.longest;
    return {literal: this.hopeless || literal === '' ? undefined : literal, isLiteral};
  }
}
