import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {WrapperForm} from './wrappers.ts';

/** A wrapper's own words, parsed. */
interface WrapperOptions {
  /** Index of the first word of the wrapped command. */
  readonly next: number;
  /** The variables that it sets. */
  readonly assignments: readonly WrapperVariable[];
  /** The shell line that an option carries. */
  readonly line: ShellWord | undefined;
  /** The mark that xargs replaces (`-I {}`). */
  readonly mark: string | undefined;
}

interface WrapperVariable {
  readonly name: string;
  /** Undefined if it is not known. */
  readonly value: string | undefined;
}

/** Reads the words of a wrapper before the command it runs. Undefined if one of them is unknown. */
export function readWrapperOptions(words: readonly ShellWord[], form: WrapperForm): WrapperOptions | undefined {
  let next = 1;
  let line: ShellWord | undefined;
  let mark: string | undefined;
  for (; isOption(words[next]); next += 1) {
    const option = readOption(textAt(words, next), form);
    if (option === undefined) return undefined;
    if (option.takesNext) next += 1;
    if (option.name === form.line) line = words[next];
    if (option.name === 'I') mark = textAt(words, next).replace(/^-I/, '');
  }
  if (textAt(words, next) === '--') next += 1;
  // A variable may be one more option.
  if (words[next]?.prefix === '') return undefined;
  const assignments = form.assignments === true ? readAssignments(words.slice(next)) : [];
  return {next: next + assignments.length + (form.operands ?? 0), assignments, line, mark};
}

function isOption(word: ShellWord | undefined): boolean {
  return word?.value !== undefined && /^-./.test(word.value) && word.value !== '--';
}

/** `env` and `sudo` take whatever has a `=` for a variable, also under names that no shell knows (GNU coreutils › env invocation). */
function readAssignments(words: readonly ShellWord[]): WrapperVariable[] {
  const variables: WrapperVariable[] = [];
  for (const {prefix, value, glob} of words) {
    const name = /^([^=]*)=/.exec(prefix)?.[1];
    if (name === undefined) break;
    variables.push({name: name === '' ? '=' : name, value: glob ? undefined : value?.slice(name.length + 1)});
  }
  return variables;
}

interface OptionRead {
  readonly name: string;
  readonly takesNext: boolean;
}

function readOption(value: string, form: WrapperForm): OptionRead | undefined {
  if (value.startsWith('--')) return readLong(value.slice(2), form);
  // `nice -10`
  if (form.values === 'n' && /^-\d+$/.test(value)) return {name: 'n', takesNext: false};
  const valued = form.values + (form.line ?? '');
  for (let at = 1; at < value.length; at += 1) {
    const letter = value.charAt(at);
    if (valued.includes(letter)) return {name: letter, takesNext: at === value.length - 1};
    if (!form.flags.includes(letter)) return undefined;
  }
  return {name: '', takesNext: false};
}

function readLong(text: string, {longFlags = [], longValues = []}: WrapperForm): OptionRead | undefined {
  const [name = '', inline] = text.split('=', 2);
  if (longFlags.includes(name)) return {name, takesNext: false};
  return longValues.includes(name) ? {name, takesNext: inline === undefined} : undefined;
}
