import {posix} from 'node:path';
import {isJsonObject, parseJson, type Json} from '../../base/json.ts';

/** Returns the text of a file of the workspace, or undefined if there is none that can be read. */
export type ReadText = (path: string) => string | undefined;

/** A shell line that a check runs, the folder it runs in, and the source that names it. */
export interface NamedLine {
  readonly line: string;
  /** From the root of the workspace; '' for the root. */
  readonly base: string;
  readonly reason: string;
}

/** A file with tasks, and the lines of those that a command runs. */
export interface NamedTasks {
  readonly file: {readonly path: string; readonly reason: string};
  readonly lines: readonly NamedLine[];
}

interface TaskCommand {
  readonly words: readonly string[];
  readonly program: string;
  readonly base: string;
  readonly reason: string;
}

/** Finds the scripts of package.json, composer.json or deno.json that a command runs, with those that run before and after them. */
export function packageScripts({words, program, base, reason}: TaskCommand, read: ReadText): readonly NamedTasks[] {
  const manifest =
    program === 'node' && !words.some((word) => word === '--run' || word.startsWith('--run=')) ? undefined : MANIFESTS.get(program);
  if (manifest === undefined) return [];
  return foldersOf(words, base).flatMap((folder) =>
    manifest.files.flatMap((name) => {
      const path = posix.join(folder, name);
      const scripts = scriptsIn(read(path), manifest.key);
      const named = [...scripts.keys()].filter((script) => isCalled(script, words));
      return named.map((script) => ({
        file: {path, reason: `script "${script}" of ${reason}`},
        lines: linesOf(script, scripts, words).map((line) => ({line, base: folder, reason: `script "${script}"`})),
      }));
    }),
  );
}

interface Manifest {
  readonly files: readonly string[];
  readonly key: string;
}

const PACKAGE: Manifest = {files: ['package.json'], key: 'scripts'};

const MANIFESTS: ReadonlyMap<string, Manifest> = new Map([
  ...[
    'npm',
    'pnpm',
    'yarn',
    'bun',
    'npx',
    'bunx',
    'pnpx',
    'node',
    'nr',
    'ni',
    'wireit',
    'npm-run-all',
    'npm-run-all2',
    'run-s',
    'run-p',
    'concurrently',
    'lerna',
    'turbo',
    'nx',
    'rushx',
  ].map((program) => [program, PACKAGE] as const),
  ['composer', {files: ['composer.json'], key: 'scripts'}],
  ['deno', {files: ['deno.json', 'deno.jsonc'], key: 'tasks'}],
]);

/** Short names that npm knows for its own scripts. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['t', 'test'],
  ['tst', 'test'],
]);

/** `npm:lint`, `test:*` (npm-run-all), `--run=test`: a word may name a script in several ways. */
function isCalled(script: string, words: readonly string[]): boolean {
  return words.slice(1).some((word) => {
    const name = word.replace(/^npm:|^--run=/, '');
    if (name === script || ALIASES.get(name) === script) return true;
    return name.endsWith('*') && script.startsWith(name.replace(/\*+$/, ''));
  });
}

/** The script gets the arguments after `--`, and all that follow its name. */
function linesOf(script: string, scripts: ReadonlyMap<string, string>, words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => index > 0 && (word === script || ALIASES.get(word) === script));
  const operands = at < 0 ? [] : words.slice(at + 1).filter((word) => word !== '--');
  const own = [scripts.get(script) ?? '', ...operands.map(quoted)].join(' ');
  return [...[`pre${script}`, `post${script}`].flatMap((name) => scripts.get(name) ?? []), own];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function scriptsIn(text: string | undefined, key: string): ReadonlyMap<string, string> {
  const manifest = text === undefined ? undefined : parseJson(text);
  const scripts = isJsonObject(manifest) ? manifest[key] : undefined;
  if (!isJsonObject(scripts)) return new Map();
  return new Map(Object.entries(scripts).flatMap(([name, line]) => textsOf(line).map((one) => [name, one] as const)));
}

/** composer has lists of lines; wireit and deno have objects. */
function textsOf(line: Json | undefined): readonly string[] {
  if (typeof line === 'string') return [line];
  if (Array.isArray(line)) return [line.filter((one): one is string => typeof one === 'string').join('\n')];
  const command = isJsonObject(line) ? line['command'] : undefined;
  return typeof command === 'string' ? [command] : [];
}

/** The folder that the command runs in, and those that its options name. */
function foldersOf(words: readonly string[], base: string): readonly string[] {
  const named = words.flatMap((word, index) => {
    const [option, value] = word.split('=', 2);
    return FOLDER_OPTIONS.has(option ?? '') ? (value ?? words[index + 1] ?? []) : [];
  });
  const folders = [base, ...named.map((folder) => posix.join(base, folder))];
  return [...new Set(folders)].filter((folder) => !folder.startsWith('../') && folder !== '..' && !folder.startsWith('/'));
}

const FOLDER_OPTIONS: ReadonlySet<string> = new Set([
  '--prefix',
  '-C',
  '--cwd',
  '--dir',
  '-w',
  '--workspace',
  '--filter',
  '-F',
  '-d',
  '--working-dir',
]);
