import {posix} from 'node:path';
import {readLine} from '../../../policy/shell/shell-line.ts';
import {isInScratch} from './scratch-folders.ts';
import {PACKAGE_PROGRAMS} from './image-programs.table.ts';

/** The meaning of a RUN line for a scratch root. */
export interface RunMeaning {
  /** Programs that it installs: they must be on this machine. */
  readonly programs: readonly string[];
  /** Shell line that does the rest in the scratch root. */
  readonly setUp?: string | undefined;
  /** Why it needs a container. */
  readonly problem?: string | undefined;
}

interface Command {
  readonly text: string;
  readonly words: readonly string[];
}

type Kind = {readonly kind: 'nothing'; readonly programs: readonly string[]} | {readonly kind: 'local'} | {readonly problem: string};

/**
 * Tells what a RUN line of a Dockerfile means where there is no image: packages are programs that must be there, files below the scratch
 * folders are made by the same commands before the first step. Whatever else it does has a `problem`.
 * @param workdir - the folder in which it runs, absolute
 */
export function runMeaning(line: string, workdir: string): RunMeaning {
  if (/^(?:\[|--)/.test(line)) return {programs: [], problem: 'this form of RUN is not understood'};
  const {commands, redirects, unresolved, assignments} = readLine(line);
  const [unknown] = unresolved;
  if (unknown !== undefined) return {programs: [], problem: `not understood: ${unknown.text}`};
  const outside = redirects.find(({write, target}) => write && !isWritable(target.value, workdir));
  if (outside !== undefined) return {programs: [], problem: `writes ${outside.target.text}`};
  const plain = commands.map(({text, words}) => ({text, words: words.map(({value, text: written}) => value ?? written)}));
  const kinds = plain.map((command) => kindOf(command, workdir));
  const problem = kinds.find((kind) => 'problem' in kind);
  if (problem !== undefined) return {programs: [], problem: problem.problem};
  const programs = kinds.flatMap((kind) => ('programs' in kind ? kind.programs : []));
  const local = plain.filter((_, index) => isLocal(kinds[index]));
  if (local.length === 0) return {programs};
  if (local.length === plain.length) return {programs, setUp: line};
  // Without the installing commands, the rest is one list only if nothing else joined them.
  const isList = redirects.length === 0 && assignments.length === 0 && commands.every(({repeated, via}) => !repeated && via.length === 0);
  if (!isList || /\|/.test(line)) return {programs, problem: 'installs and does other things in one construct'};
  return {programs, setUp: local.map(({text}) => text).join(' && ')};
}

function isLocal(kind: Kind | undefined): boolean {
  return kind !== undefined && 'kind' in kind && kind.kind === 'local';
}

function isWritable(path: string | undefined, workdir: string): boolean {
  return path !== undefined && (path === '/dev/null' || isInScratch(posix.resolve(workdir, path)));
}

const NOTHING: Kind = {kind: 'nothing', programs: []};

function kindOf({text, words}: Command, workdir: string): Kind {
  const [program = '', ...args] = words;
  if (INSTALLERS.has(program)) return installed(program, args);
  if (WITHOUT_EFFECT.has(program)) return NOTHING;
  const paths = SAYS.has(program) ? [] : args.filter((arg) => !arg.startsWith('-')).map((arg) => posix.resolve(workdir, arg));
  if (program === 'rm' && paths.every((path) => CACHES.test(path))) return NOTHING;
  if (!LOCAL.has(program)) return {problem: `runs ${program}`};
  const outside = paths.find((path) => !isInScratch(path));
  if (outside !== undefined) return {problem: `touches ${outside}`};
  // A path that a variable or a home folder decides could be any.
  return /[$`~]/.test(text) ? {problem: `not known before it runs: ${text}`} : {kind: 'local'};
}

function installed(program: string, args: readonly string[]): Kind {
  const [command, ...packages] = args.filter((arg) => !arg.startsWith('-'));
  if (command === undefined || HARMLESS.has(command)) return NOTHING;
  if (command !== 'install' && command !== 'add') return {problem: `runs ${program} ${command}`};
  const names = packages.map((name) => name.replace(/[=:/].*$/, ''));
  return {kind: 'nothing', programs: names.flatMap((name) => PACKAGE_PROGRAMS.get(name) ?? [name])};
}

const INSTALLERS: ReadonlySet<string> = new Set(['apt-get', 'apt', 'apk']);
const HARMLESS: ReadonlySet<string> = new Set(['update', 'upgrade', 'clean', 'autoremove', 'autoclean', 'dist-upgrade']);
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['true', ':', 'set', 'locale-gen', 'ldconfig', 'update-ca-certificates', 'chown']);
const CACHES = /^\/(?:var\/lib\/apt|var\/cache|var\/tmp|tmp|root\/\.cache)(?:\/|$)/;
const SAYS: ReadonlySet<string> = new Set(['echo', 'printf']);
/** They change files that are named, and nothing else; any argument but an option may be such a name. */
const LOCAL: ReadonlySet<string> = new Set([
  'mkdir',
  'touch',
  'chmod',
  'cp',
  'mv',
  'ln',
  'rm',
  'echo',
  'printf',
  'cat',
  'cd',
  'tar',
  'gzip',
  'gunzip',
]);
