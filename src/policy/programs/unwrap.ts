import type {ShellCommand} from '../shell/shell-parts.ts';
import {programName, type ShellWord, textAt, unknownWord} from '../shell/shell-word.ts';
import {printsVersion} from './prints-version.ts';
import {isSafeVariable} from '../shell/variables.ts';
import {programFacts} from './known-programs.ts';
import {readWrapperOptions} from './wrapper-options.ts';
import {isNamed, isPlainReader} from './program-facts.ts';
import {OPAQUE_WRAPPERS, RUNNERS, SHELLS, WRAPPERS, type WrapperForm} from './wrappers.ts';

/** The commands that a command runs besides itself. */
export interface Unwrapped {
  /** The program that is run, with its words. */
  readonly command?: ShellCommand;
  /** A shell line that is run. */
  readonly line?: string;
  /** Commands that may be run: good enough for a denial, never for permission. */
  readonly guesses?: readonly ShellCommand[];
  /** The same as text of the shell. */
  readonly guessedLines?: readonly string[];
  /** The wrapper adds nothing of its own: the wrapped command decides. */
  readonly transparent: boolean;
  /** The reason why the program is not known. */
  readonly unresolved?: string;
}

/** Unwraps `env`, `timeout`, `xargs`, `sudo`, `sh -c`, `find -exec` …; undefined if nothing else is run. */
export function unwrap(command: ShellCommand): Unwrapped | undefined {
  const name = programName(command.words);
  if (name === 'command' && /^-p?[vV]$/.test(textAt(command.words, 1))) return undefined;
  if (printsVersion(command.words)) return undefined;
  if (name === 'find') return unwrapFind(command);
  if (name === 'eval') return unwrapLine(command.words.slice(1), 'eval');
  if (SHELLS.has(name)) return unwrapShell(command.words);
  if (OPAQUE_WRAPPERS.has(name) || runsOthers(command.words, name)) return guessed(command);
  const form = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return form === undefined ? undefined : unwrapForm(command, name, form);
}

/** `poetry run x`, `trap 'x' EXIT`, `git -c alias.z='!x'`. */
function runsOthers(words: readonly ShellWord[], name: string): boolean {
  if (!Object.hasOwn(RUNNERS, name)) return false;
  const subcommands = RUNNERS[name];
  return subcommands === '' || words.slice(1).some((word) => isNamed(subcommands, word.value ?? ''));
}

/** Guesses the commands that may run: everything after the name, and each word that looks like a line. */
function guessed(command: ShellCommand): Unwrapped {
  const found = {guesses: suffixes(command), guessedLines: linesIn(command.words), transparent: false};
  return command.words.length > MAX_INNER_WORDS ? {...found, unresolved: 'very many words, of which any may start a program'} : found;
}

function linesIn(words: readonly ShellWord[]): string[] {
  return words.slice(1, MAX_GUESSES).flatMap(({value}) => {
    const text = value?.replace(/^(?:-[a-zA-Z0]*S|[\w.-]*=!?)/, '');
    return text !== undefined && /\s/.test(text.trim()) ? [text] : [];
  });
}

function unwrapForm(command: ShellCommand, name: string, form: WrapperForm): Unwrapped | undefined {
  const read = readWrapperOptions(command.words, form);
  if (read === undefined) return {...guessed(command), unresolved: `an option of ${name} that is not known here`};
  if (read.line !== undefined) return unwrapLine([read.line], name, form.transparent);
  const guessedLines = form.transparent && name !== 'xargs' ? [] : linesIn(command.words);
  const words = command.words.slice(read.next);
  const unsafe = read.assignments.find(({name: variable, value}) => !isSafeVariable(variable, true, value))?.name;
  if (words.length === 0) return nothingInside(name, form);
  if (name === 'watch') return unwrapLine(words, name, false);
  const inner = name === 'xargs' ? withInput(words, read.mark, namedInput(command)) : words;
  const unresolved = unsafe === undefined ? {} : {unresolved: `sets ${unsafe}, which can change what runs`};
  return {command: asCommand(inner, command), guessedLines, transparent: form.transparent, ...unresolved};
}

/** `script f`, `chroot d`, `su u` start a shell. */
function nothingInside(name: string, {transparent}: WrapperForm): Unwrapped | undefined {
  if (SHELL_STARTERS.has(name)) return {transparent, unresolved: `${name} starts a shell`};
  return transparent && name !== 'xargs' && name !== 'busybox' ? undefined : {transparent};
}

const SHELL_STARTERS: ReadonlySet<string> = new Set(['script', 'chroot', 'su']);

/** xargs appends unknown words, or puts them in place of the mark; a reader gets words that are known to be files. */
function withInput(words: readonly ShellWord[], mark: string | undefined, files: readonly ShellWord[] | undefined): ShellWord[] {
  const added = files !== undefined && isPlainReader(programFacts(programName(words))) ? files : [unknownWord('…')];
  if (mark === undefined || mark === '') return [...words, ...added];
  return words.flatMap((word) => {
    if (word.value === mark) return added;
    return word.value?.includes(mark) === true ? [unknownWord(word.text)] : [word];
  });
}

/** Returns the input words if they are split at NULs and do not come from a file. */
function namedInput({words, input}: ShellCommand): readonly ShellWord[] | undefined {
  const end = words.findIndex(({value}, index) => index > 0 && value?.startsWith('-') !== true);
  const options = words.slice(1, end === -1 ? words.length : end).map(({value}) => value ?? '');
  const splitsAtNul = options.some((option) => /^-[rtxp]*0|^--null$/.test(option));
  return splitsAtNul && options.every((option) => !/^-[^-]*a|^--arg/.test(option)) ? input : undefined;
}

function unwrapShell(words: readonly ShellWord[]): Unwrapped | undefined {
  let next = 1;
  let takesLine = false;
  for (; /^[-+]./.test(textAt(words, next)); next += 1) {
    const option = textAt(words, next);
    if (!HARMLESS_SHELL_OPTION.test(option))
      return {transparent: false, unresolved: `the option ${option} of a shell`, ...guessedLine(words)};
    takesLine ||= /^-[a-z]*c/.test(option);
    if (/^[-+]\w*o$/.test(option)) next += 1;
  }
  // A single dash ends the options.
  if (textAt(words, next) === '-') next += 1;
  if (takesLine) return unwrapLine(words.slice(next, next + 1), 'a shell');
  if (next >= words.length) return {transparent: false, unresolved: 'a shell that runs what it is fed'};
  return words[next]?.value === undefined ? {transparent: false, unresolved: 'a shell with words that are not known'} : undefined;
}

/** Not: interactive, stdin, start files, shopt. */
const HARMLESS_SHELL_OPTION = /^(?:--(?:norc|noprofile|posix|verbose)|[-+][abcefhklmnoptuvxBCHPT]+)$/;

function guessedLine(words: readonly ShellWord[]): {line?: string} {
  const line = words.at(-1)?.value;
  return line?.includes(' ') === true ? {line} : {};
}

function unwrapLine(words: readonly ShellWord[], by: string, transparent = true): Unwrapped {
  const values = words.map((word) => word.value);
  if (values.includes(undefined) || words.some((word) => word.glob))
    return {transparent: false, unresolved: `the line that ${by} runs is not known`};
  return {line: values.join(' '), transparent};
}

const FIND_EXEC: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function unwrapFind(command: ShellCommand): Unwrapped | undefined {
  const guesses: ShellCommand[] = [];
  const {words} = command;
  for (let at = 1; at < words.length; at += 1) {
    if (!FIND_EXEC.has(textAt(words, at))) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.value === ';' || word.value === '+');
    const inner = (end === -1 ? rest : rest.slice(0, end)).map((word) =>
      word.value?.includes('{}') === true ? unknownWord(word.text) : word,
    );
    if (inner.length > 0) guesses.push(asCommand(inner, command));
    if (guesses.length >= MAX_GUESSES) return {guesses, transparent: false, unresolved: 'find with very many actions'};
  }
  return guesses.length > 0 ? {guesses, guessedLines: linesIn(words), transparent: false} : undefined;
}

/** Words that may start a command, and words that are shown of one. */
const MAX_GUESSES = 32;
/** Words of a program that may run others; of more, not every beginning is tried. */
const MAX_INNER_WORDS = 100;

function suffixes(command: ShellCommand): ShellCommand[] {
  return command.words.slice(1, MAX_GUESSES).map((_, at) => asCommand(command.words.slice(at + 1, MAX_INNER_WORDS), command));
}

function asCommand(words: readonly ShellWord[], from: ShellCommand): ShellCommand {
  const text = words.slice(0, MAX_GUESSES).map((word) => word.text);
  return {text: text.join(' '), words, repeated: from.repeated, via: from.via, input: from.input};
}
