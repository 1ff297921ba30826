import {posix} from 'node:path';
import {readLine} from '../../policy/shell/shell-line.ts';
import {programName} from '../../policy/shell/shell-word.ts';
import {type NamedLine, packageScripts, type ReadText} from './package-scripts.ts';
import {makeTargets} from './make-targets.ts';

/** A file or folder that a check names, directly or through a script. */
export interface NamedFile {
  /** From the root of the workspace, without `.` and `..`; `*` matches any characters. */
  readonly path: string;
  /** True if everything below the path counts, too. */
  readonly withContent: boolean;
  /** True if the file counts even if the run has created it, because it is executed and not only read. */
  readonly whenCreated: boolean;
  /** The source that names the file, for people. */
  readonly reason: string;
}

/**
 * Lists the files that the outcome of a check depends on by name: operands, scripts of package.json, targets of
 * a Makefile, and files that shell scripts among them name in turn. A program can do more than its command line
 * says: this finds only what a person would find by reading.
 */
export function checkFiles(command: string, read: ReadText): readonly NamedFile[] {
  const search: Search = {read, found: new Map(), seen: new Set(), left: MAX_LINES};
  readNamed(search, {line: command, base: '', reason: `\`${command.length > 60 ? `${command.slice(0, 60)}…` : command}\``}, 0);
  return [...search.found.values()];
}

const MAX_LINES = 200;
const MAX_DEPTH = 8;
const MAX_FILES = 1000;
const MAX_BASES = 20;
/** Characters of a script that is read as shell lines. */
const MAX_SCRIPT = 16 * 1024;

interface Search {
  readonly read: ReadText;
  readonly found: Map<string, NamedFile>;
  readonly seen: Set<string>;
  left: number;
}

function readNamed(search: Search, {line, base, reason}: NamedLine, depth: number): void {
  const key = `${base}\n${line}`;
  if (depth > MAX_DEPTH || search.left <= 0 || search.seen.has(key)) return;
  search.seen.add(key);
  search.left -= 1;
  const {commands, redirects} = readLine(line);
  const bases = new Set([base]);
  for (const {role, words} of commands) {
    if (role === 'guess') continue;
    const values = words.flatMap(({value}) => (value === undefined ? [] : [value]));
    const moved = movedTo(values);
    // A later `cd` back is not followed: a folder that was entered once counts for the rest of the line.
    if (moved !== undefined) addBases(bases, moved);
    else for (const from of bases) readCommand(search, {words: values, program: programName(words), base: from, reason}, depth);
  }
  const read = redirects.flatMap(({target, write}) => (write || target.value === undefined ? [] : [target.value]));
  for (const word of read) for (const from of bases) add(search, {word, base: from, reason, withContent: false, whenCreated: false});
}

function addBases(bases: Set<string>, moved: string): void {
  const reached = [...bases].flatMap((from) => inside(from, moved) ?? []);
  for (const folder of reached) if (bases.size < MAX_BASES) bases.add(folder);
}

function movedTo([program, ...args]: readonly string[]): string | undefined {
  return program === 'cd' || program === 'pushd' ? args.find((word) => !word.startsWith('-')) : undefined;
}

interface NamedCommand {
  readonly words: readonly string[];
  readonly program: string;
  readonly base: string;
  readonly reason: string;
}

function readCommand(search: Search, command: NamedCommand, depth: number): void {
  const {program, words, base, reason} = command;
  if (words[0]?.includes('/') === true) readScript(search, {path: words[0], base, reason, isProgram: true}, depth);
  for (const name of [program, ...(RUNS_PACKAGES.test(program) ? words.slice(1) : [])]) {
    if (PACKAGE_PROGRAM.test(name))
      put(search, {path: posix.join(base, 'node_modules/.bin', name), withContent: false, whenCreated: true, reason: `run by ${reason}`});
  }
  const weight = {withContent: !LOOKS_AT.has(program) && !RUNS_FILES.has(program), whenCreated: !LOOKS_AT.has(program)};
  for (const word of words.slice(1)) {
    for (const form of formsOf(word)) {
      add(search, {word: form, base, reason, ...weight});
      readScript(search, {path: form, base, reason, isProgram: SHELLS.test(program)}, depth);
    }
  }
  const inner = [...packageScripts(command, search.read), ...makeTargets(command, search.read)];
  for (const {file, lines} of inner) {
    put(search, {path: file.path, withContent: false, whenCreated: true, reason: file.reason});
    for (const line of lines) readNamed(search, line, depth + 1);
  }
}

const SHELLS = /^(?:sh|bash|dash|zsh|ksh|source|\.)$/;
const RUNS_PACKAGES = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun)$/;
const PACKAGE_PROGRAM = /^[\w][\w.-]*$/;

/** Linters, compilers and other programs that only read files: a file that the run has created for them is its work, and a folder is not a check. */
const LOOKS_AT: ReadonlySet<string> = wordSet(`
  eslint oxlint biome prettier tsc vue-tsc svelte-check stylelint tslint standard xo knip flake8 pylint ruff black isort mypy pyright bandit
  gofmt golangci-lint staticcheck shellcheck rubocop phpstan psalm php-cs-fixer phpcs clang-format clang-tidy cppcheck yamllint markdownlint
  cd test [ ls cat find grep egrep rg wc head tail diff cmp du stat file jq git echo printf tee rm cp mv mkdir touch env gcc cc clang javac rustc`);

/** Programs that run a file, or find tests in a folder by their names: not every such file affects the result. */
const RUNS_FILES: ReadonlySet<string> = wordSet(`
  vitest jest pytest py.test playwright cypress ava karma phpunit rspec npx bunx pnpx node deno python python3 ruby perl php tsx ts-node
  npm pnpm yarn bun make gmake just cargo go nx turbo lerna rake mvn gradle tox nox`);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Lists the paths a word may name: `--config=x`, `tests/a.py::Case::test`, `spec/a.rb:12`, `tests.test_a`, a module without its ending. */
function formsOf(word: string): readonly string[] {
  const value = word.startsWith('-') ? word.replace(/^-[^=]*=?/, '') : word;
  if (value === '' || value.length > 500) return [];
  const plain = value.replace(/::.*$/, '').replace(/(?::\d+)+$/, '');
  const dotted = /^\w+(?:\.\w+)+$/.test(plain) ? plain.replaceAll('.', '/') : undefined;
  const bare = /[^./]\.\w{1,5}$/.test(plain)
    ? []
    : ['.js', '.mjs', '.cjs', '.ts', '.mts', '.py', '.sh', '.rb'].map((ending) => `${plain}${ending}`);
  return [plain, ...bare, ...(dotted === undefined ? [] : [`${dotted}.py`, `${dotted}/__main__.py`])];
}

/** A shell script is read like the line that runs it. */
function readScript(
  search: Search,
  {path, base, reason, isProgram}: {path: string; base: string; reason: string; isProgram: boolean},
  depth: number,
): void {
  const at = inside(base, path);
  if (at === undefined) return;
  if (isProgram) put(search, {path: at, withContent: false, whenCreated: true, reason: `run by ${reason}`});
  if (!isProgram && !/\.(?:sh|bash)$/.test(at)) return;
  const text = search.read(at);
  if (text === undefined || text.length > MAX_SCRIPT || !(SHELL_SCRIPT.test(text) || /\.(?:sh|bash)$/.test(at) || !text.startsWith('#!')))
    return;
  readNamed(search, {line: text, base, reason: at}, depth + 1);
}

const SHELL_SCRIPT = /^#!.*\b(?:sh|bash|dash|zsh|ksh)\b/;

function add(search: Search, {word, base, reason, ...weight}: Omit<NamedFile, 'path'> & {word: string; base: string}): void {
  const path = inside(base, word);
  if (path !== undefined) put(search, {path, ...weight, reason: `named by ${reason}`});
}

/** The first source that names a file gives the reason; a file counts if any source makes it count. */
function put({found}: Search, file: NamedFile): void {
  const earlier = found.get(file.path);
  if (earlier === undefined && found.size >= MAX_FILES) return;
  const {withContent, whenCreated, reason} = earlier ?? file;
  const counts = {withContent: withContent || file.withContent, whenCreated: whenCreated || file.whenCreated};
  found.set(file.path, {path: file.path, ...counts, reason});
}

/** undefined: outside of the workspace, its root, or no path at all. */
function inside(base: string, word: string): string | undefined {
  if (word === '' || word.startsWith('/') || word.startsWith('~') || word.includes('\0')) return undefined;
  const path = posix.normalize(posix.join(base, word)).replace(/\/$/, '');
  return path === '.' || path === '..' || path.startsWith('../') ? undefined : path;
}
