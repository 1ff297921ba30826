import type {Word, WordPart} from 'unbash';

/** One word of a command after quote removal, as far as it is known before the line runs. */
export interface ShellWord {
  /** As it was written. */
  readonly text: string;
  /** What the program gets; undefined where a variable or substitution decides. A glob stands as it is. */
  readonly value: string | undefined;
  /** Known beginning of a word whose value is not known; '' where the word may also fall apart into several. */
  readonly prefix: string;
  /** Has glob characters outside quotes: may become other words. */
  readonly glob: boolean;
}

/** One word for each of the brace alternatives (`{a,b}`). */
export function readWord(word: Word): ShellWord[] {
  const {parts} = word;
  if (parts === undefined) return [{text: word.text, value: word.value, prefix: word.value, glob: false}];
  if (parts.some((part) => part.type === 'BraceExpansion')) return readBraces(word, parts);
  const read = parts.map(readPart);
  const glob = parts.some((part) => part.type === 'Glob' || part.type === 'ExtendedGlob');
  const known = read.every((part) => part.value !== undefined);
  const value = known ? read.map((part) => part.value).join('') : undefined;
  return [{text: word.text, value, prefix: value ?? prefixOf(read), glob}];
}

/** The known value of the word at `index`; '' where there is none or it is not known. */
export function textAt(words: readonly ShellWord[], index: number): string {
  return words[index]?.value ?? '';
}

/** A word that is not known at all. */
export function unknownWord(text: string): ShellWord {
  return {text, value: undefined, prefix: '', glob: false};
}

interface ReadPart {
  readonly value: string | undefined;
  /** False where the blanks in the value make new words. */
  readonly whole: boolean;
}

function readPart(part: WordPart): ReadPart {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return {value: part.value, whole: true};
    case 'Glob':
      return {value: part.text, whole: true};
    case 'DoubleQuoted': {
      const inner = part.parts.map((child) => (child.type === 'Literal' ? child.value : undefined));
      return {value: inner.includes(undefined) ? undefined : inner.join(''), whole: true};
    }
    default:
      return {value: undefined, whole: false};
  }
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

function readBraces(word: Word, parts: readonly WordPart[]): ShellWord[] {
  // Quotes and variables inside braces, and ranges ({1..9}): known to the shell alone.
  const plain = parts.every((part) => part.type === 'Literal' || part.type === 'Glob' || part.type === 'BraceExpansion');
  if (!plain || /[\\'"$`]|\.\./.test(word.text)) return [unknownWord(word.text)];
  const values = expandBraces(word.text);
  if (values === undefined) return [unknownWord(word.text)];
  return values.map((value) => ({text: word.text, value, prefix: value, glob: /[*?[]/.test(value)}));
}

/** `a{b,c}d` → abd, acd; nested too. Undefined where there are too many. */
function expandBraces(text: string): string[] | undefined {
  const done: string[] = [];
  const open = [text];
  while (open.length > 0) {
    if (open.length + done.length > MAX_ALTERNATIVES) return undefined;
    const next = open.shift() ?? '';
    const group = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (group === null) {
      if (/[{}]/.test(next) && /,/.test(next)) return undefined;
      done.push(next);
    } else {
      const [before, after] = [next.slice(0, group.index), next.slice(group.index + group[0].length)];
      open.unshift(...(group[1] ?? '').split(',').map((choice) => before + choice + after));
    }
  }
  return done.filter((value) => value !== '');
}
