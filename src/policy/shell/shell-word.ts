import type {DoubleQuotedChild, Word, WordPart} from 'unbash';
import {readSubstitution, SUBSTITUTED} from './data-substitution.ts';
import {charge} from '../budget.ts';

/** One word of a command after quote removal, as far as it is known before the line runs. */
export interface ShellWord {
  /** As it was written. */
  readonly text: string;
  /** The word as the program receives it; undefined if a variable or substitution decides. A glob is not expanded. */
  readonly value: string | undefined;
  /** Known beginning of a word whose value is not known; '' if the word may also fall apart into several. */
  readonly prefix: string;
  /** Has glob characters outside quotes: may become other words. */
  readonly glob: boolean;
}

/** One word for each of the brace alternatives (`{a,b}`). `values`: variables whose value is known, each a plain word. */
export function readWord(word: Word, values: ReadonlyMap<string, ShellWord> = NONE): ShellWord[] {
  const {parts} = word;
  if (hasStrangeBraces(word)) return [unknownWord(word.text)];
  if (parts === undefined) return [{text: word.text, value: word.value, prefix: word.value, glob: false}];
  if (readSubstitution(word) !== undefined) return [{text: word.text, value: SUBSTITUTED, prefix: SUBSTITUTED, glob: false}];
  if (parts.some((part) => part.type === 'BraceExpansion')) return readBraces(word, parts);
  const read = parts.map((part) => readPart(part, values));
  const glob = parts.some((part) => part.type === 'Glob' || part.type === 'ExtendedGlob') || read.some((part) => part.glob === true);
  const known = read.every((part) => part.value !== undefined);
  const value = known ? read.map((part) => part.value).join('') : undefined;
  // A glob beside something unknown may become any words.
  return [{text: word.text, value, prefix: value ?? (glob ? '' : prefixOf(read)), glob}];
}

/** `{a},b}`: for bash a brace that closes before a comma is not an end (`a}` and `b`). */
function hasStrangeBraces({text, parts}: Word): boolean {
  const bare = (parts ?? [{type: 'Literal', text} as const]).map((part) =>
    part.type === 'Literal' || part.type === 'BraceExpansion' ? part.text : ' ',
  );
  return closesBeforeComma(bare.join('').replaceAll(/\\[^]/g, ''));
}

/** Braces without a comma, followed by a comma and another closing brace. In one pass: a pattern would try every pair. */
function closesBeforeComma(text: string): boolean {
  const lastComma = text.lastIndexOf(',', text.lastIndexOf('}'));
  let open = false;
  for (let at = 0; at < lastComma; at += 1) {
    const char = text[at];
    if (char === '}' && open) return true;
    if (char === '{') open = true;
    else if (char === ',') open = false;
  }
  return false;
}

/** The known value of the word at `index`; '' if there is none or it is not known. */
export function textAt(words: readonly ShellWord[], index: number): string {
  return words[index]?.value ?? '';
}

/** A word that is not known at all. */
export function unknownWord(text: string): ShellWord {
  return {text, value: undefined, prefix: '', glob: false};
}

const NONE: ReadonlyMap<string, ShellWord> = new Map();

interface ReadPart {
  readonly value: string | undefined;
  /** False if blanks in the value split it into several words. */
  readonly whole: boolean;
  readonly glob?: boolean;
}

function readPart(part: WordPart, values: ReadonlyMap<string, ShellWord>): ReadPart {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return {value: part.value, whole: true};
    case 'AnsiCQuoted':
      return {value: dependsOnShell(part) ? undefined : part.value, whole: true};
    case 'Glob':
      return {value: part.text, whole: true};
    case 'DoubleQuoted':
    case 'LocaleString':
      return readQuoted(part.parts, values);
    default:
      return readVariable(knownValue(part, values));
  }
}

/**
 * The parser removes a backslash at the end of a line from `$'…'`; bash keeps both. A non-ASCII letter given by its number (`\u00e9`) stays as
 * written if the locale lacks it.
 */
function dependsOnShell({text, value}: {readonly text: string; readonly value: string}): boolean {
  // oxlint-disable-next-line no-control-regex
  return /\\\r?\n/.test(text) || (/\\u/i.test(text) && /[^\u0000-\u007f]/.test(value));
}

function readQuoted(parts: readonly DoubleQuotedChild[], values: ReadonlyMap<string, ShellWord>): ReadPart {
  const inner = parts.map((child) => (child.type === 'Literal' ? child.value : knownValue(child, values)?.value));
  const glob = parts.some((child) => knownValue(child, values)?.glob === true);
  // `"x$@"` becomes as many words as there are parameters.
  return {value: inner.includes(undefined) ? undefined : inner.join(''), whole: !parts.some(isList), glob};
}

/** Without quotes a value may fall apart, or become names of files. */
function readVariable(known: ShellWord | undefined): ReadPart {
  const isPlain = known?.value !== undefined && !known.glob && /^[^\s*?[\]\\]+$/.test(known.value);
  return isPlain ? {value: known.value, whole: true} : {value: undefined, whole: false};
}

/** Returns the known value of `$name` and `${name}`. */
function knownValue(part: WordPart, values: ReadonlyMap<string, ShellWord>): ShellWord | undefined {
  if (part.type === 'SimpleExpansion') return values.get(part.text.slice(1));
  return part.type === 'ParameterExpansion' && part.text === `\${${part.parameter}}` ? values.get(part.parameter) : undefined;
}

function isList(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  if (part.type !== 'ParameterExpansion') return false;
  // Also in the word after an operator: `"${x%$@}"` becomes as many words.
  return part.parameter === '@' || part.index?.text === '@' || part.prefix === '!' || /\$\{?@|\[@\]/.test(part.text);
}

function prefixOf(parts: readonly ReadPart[]): string {
  if (!parts.every((part) => part.whole)) return '';
  const end = parts.findIndex((part) => part.value === undefined);
  return parts
    .slice(0, end)
    .map((part) => part.value)
    .join('');
}

const MAX_ALTERNATIVES = 64;
/** Most characters of a word with braces. */
const MAX_BRACES = 256;

function readBraces(word: Word, parts: readonly WordPart[]): ShellWord[] {
  // Quotes and variables inside braces, and ranges ({1..9}): known to the shell alone.
  const plain = parts.every((part) => part.type === 'Literal' || part.type === 'Glob' || part.type === 'BraceExpansion');
  if (!plain || word.text.length > MAX_BRACES || /[\\'"$`]|\.\./.test(word.text)) return [unknownWord(word.text)];
  charge(word.text.length);
  const values = expandBraces(word.text);
  // `{,}~` expands to the home folder.
  const isHome = !word.text.startsWith('~') && values?.some((value) => value.startsWith('~'));
  if (values === undefined || isHome === true) return [unknownWord(word.text)];
  return values.filter((value) => value !== '').map((value) => ({text: word.text, value, prefix: value, glob: /[*?[]/.test(value)}));
}

/** `a{b,c}d` → abd, acd; nested too, in the order of bash. Undefined if there are too many. */
function expandBraces(text: string): string[] | undefined {
  const group = firstGroup(text);
  if (group === undefined) return [text];
  const after = expandBraces(text.slice(group.end + 1));
  const middles = group.choices.map(expandBraces);
  if (after === undefined || middles.includes(undefined)) return undefined;
  const before = text.slice(0, group.start);
  const heads = middles.flatMap((choices) => choices ?? []);
  if (heads.length * after.length > MAX_ALTERNATIVES) return undefined;
  return heads.flatMap((head) => after.map((tail) => before + head + tail));
}

interface BraceGroup {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

/** The first `{…,…}` whose braces close. */
function firstGroup(text: string): BraceGroup | undefined {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    const group = groupAt(text, start);
    if (group !== undefined && group.choices.length > 1) return group;
  }
  return undefined;
}

function groupAt(text: string, start: number): BraceGroup | undefined {
  const choices: string[] = [];
  let [depth, from] = [0, start + 1];
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if ((text[at] === ',' && depth === 1) || depth === 0) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return {start, end: at, choices};
  }
  return undefined;
}

/** The name of the program without its folder; '' if it is not known. */
export function programName(words: readonly ShellWord[]): string {
  const value = textAt(words, 0);
  return value.slice(value.lastIndexOf('/') + 1);
}
