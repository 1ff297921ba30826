import type {PathUse} from '../programs/command-paths.ts';
import type {ReadOnlyForm, ReadOnlyTable} from './command-form.ts';
import {READ_ONLY_FILE_PROGRAMS} from './file-programs.table.ts';
import {READ_ONLY_GIT} from './git-commands.table.ts';
import {READ_ONLY_SYSTEM} from './system-programs.table.ts';
import {isNamed} from '../programs/program-facts.ts';
import {isPublicFolder} from '../places/protected-paths.ts';
import type {ShellWord} from '../shell/shell-word.ts';
import {printsVersion} from '../programs/prints-version.ts';
import type {Risk} from '../risks/risk.ts';

/** A command, with the facts found about it. */
export interface ReadOnlyCommand {
  readonly words: readonly ShellWord[];
  readonly uses: readonly PathUse[];
  readonly risks: readonly Risk[];
}

/**
 * Returns true for a command that is known to change nothing and to run nothing else: its program has a row in the tables of looking
 * programs, and each of its words is one that the row names. A word that is not known makes it false.
 */
export function isReadOnlyLine({words, uses, risks}: ReadOnlyCommand): boolean {
  if (printsVersion(words)) return true;
  const found = formOf(withoutPager(words));
  if (found === undefined || (found.form.noRisks === true && risks.length > 0)) return false;
  return fitsForm(found.rest, found.form, {uses, first: words.length - found.rest.length});
}

let forms: ReadonlyMap<string, ReadOnlyForm> | undefined;

function allForms(): ReadonlyMap<string, ReadOnlyForm> {
  forms ??= new Map([READ_ONLY_FILE_PROGRAMS, READ_ONLY_GIT, READ_ONLY_SYSTEM].flatMap(formsIn));
  return forms;
}

function formsIn(table: ReadOnlyTable): (readonly [string, ReadOnlyForm])[] {
  return Object.entries(table).flatMap(([names, form]) => names.split(', ').map((name) => [name, form] as const));
}

/** Words of a key of the tables. */
const MOST_WORDS = 3;

function formOf(words: readonly ShellWord[]): {readonly form: ReadOnlyForm; readonly rest: readonly ShellWord[]} | undefined {
  const names = words.slice(0, MOST_WORDS).map(({value, glob}) => (glob ? undefined : value));
  for (let count = names.length; count > 0; count -= 1) {
    const head = names.slice(0, count);
    const form = head.includes(undefined) ? undefined : allForms().get(head.join(' '));
    if (form !== undefined) return {form, rest: words.slice(count)};
  }
  return undefined;
}

function withoutPager(words: readonly ShellWord[]): readonly ShellWord[] {
  const [git, option] = words;
  const pages = git?.value === 'git' && /^(?:-P|--no-pager)$/.test(option?.value ?? '');
  return git !== undefined && pages ? [git, ...words.slice(2)] : words;
}

interface Operands {
  readonly uses: readonly PathUse[];
  /** Index of the first word after the name, in the command. */
  readonly first: number;
}

function fitsForm(rest: readonly ShellWord[], form: ReadOnlyForm, {uses, first}: Operands): boolean {
  const {refuse, needs, listedBy} = form;
  const values = rest.map(({value}) => value);
  if (values.includes(undefined) || rest.some((word, index) => mayBeOption(word, uses, first + index))) return false;
  const texts = values.filter((value) => value !== undefined);
  if (texts.some((text) => refuse?.test(text) === true) || (needs !== undefined && !texts.some((text) => needs.test(text)))) return false;
  const operands = operandsIn(texts, form);
  if (operands === undefined) return false;
  if (listedBy !== undefined && operands.length > 0 && !texts.some((text) => listedBy.test(text))) return false;
  return operands.every((at) => fitsOperand(texts[at] ?? '', form, usesAt(uses, first + at)));
}

/** A glob that may become a word with a dash in front. */
function mayBeOption({glob, value}: ShellWord, uses: readonly PathUse[], index: number): boolean {
  return glob && /^[-*?[+@!]/.test(value ?? '') && !usesAt(uses, index).some(({expanded}) => expanded === 'names');
}

function usesAt(uses: readonly PathUse[], at: number): readonly PathUse[] {
  return uses.filter(({index}) => index === at);
}

/** The positions of the operands; undefined if a word is an option that the form does not name. */
function operandsIn(texts: readonly string[], form: ReadOnlyForm): readonly number[] | undefined {
  const operands: number[] = [];
  const end = texts.indexOf('--');
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? '';
    if (at === end || (form.words?.test(text) === true && (end === -1 || at < end))) continue;
    if (!/^-./.test(text) || (end !== -1 && at > end)) {
      operands.push(at);
      continue;
    }
    const taken = takenBy(text, form);
    if (taken === undefined) return undefined;
    at += taken;
  }
  return operands;
}

/** Number of words that belong to an option as its values; undefined if unknown. */
function takenBy(text: string, form: ReadOnlyForm): 0 | 1 | undefined {
  return text.startsWith('--') ? takenByLong(text.slice(2), form) : takenByShort(text.slice(1), form);
}

function takenByLong(text: string, {long, longValues}: ReadOnlyForm): 0 | 1 | undefined {
  const [name = '', inline] = text.split('=', 2);
  if (isNamed(longValues, name)) return inline === undefined ? 1 : 0;
  return isNamed(long, name) ? 0 : undefined;
}

function takenByShort(letters: string, {flags = '', values = ''}: ReadOnlyForm): 0 | 1 | undefined {
  for (const [at, letter] of letters.split('').entries()) {
    if (values.includes(letter)) return at === letters.length - 1 ? 1 : 0;
    if (!flags.includes(letter)) return undefined;
  }
  return 0;
}

function fitsOperand(text: string, {operands = 'files'}: ReadOnlyForm, uses: readonly PathUse[]): boolean {
  if (operands === 'none') return false;
  if (operands === 'names') return true;
  if (operands instanceof RegExp) return operands.test(text);
  return uses.every(({paths}) => paths?.every(({path, inside}) => inside || isPublicFolder(path)) === true);
}
