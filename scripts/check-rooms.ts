// The rooms of src/: how many files a folder has, which folders need a README, how much a file imports, and no file that imports itself
// by way of others. `src/code` is left out.
import {existsSync, readdirSync} from 'node:fs';
import {join, posix, sep} from 'node:path';
import {readSpecifiers, targetOf, type Specifiers} from './source-imports.ts';

const LIMITS = {files: 25, filesWithoutReadme: 8, imports: 15, rootImports: 30};

/** Files that put parts together, tables of tools, and what is published: they may import more. */
const COMPOSITION_ROOTS: ReadonlySet<string> = new Set([
  'hosts/cli/command-line/command-tree.ts',
  'hosts/tui/run-screen.ts',
  'sdk/index.ts',
  'sdk/thread/open-thread.ts',
  'sdk/thread/thread-parts.ts',
  'sdk/thread/wire-thread.ts',
  'sdk/tools/open-tools.ts',
  'tools/dispatch/dispatcher.ts',
  'tools/index.ts',
  'tools/toolsets/fettle/fettle.ts',
  'tools/toolsets/vibe.ts',
  'tools/toolsets/vtcode.ts',
]);

export interface Tree {
  readonly specifiers: Specifiers;
  /** Folders below `src` that have a README.md. */
  readonly readmes: ReadonlySet<string>;
}

export interface RoomProblem {
  /** The file or folder, below `src`. */
  readonly path: string;
  readonly text: string;
}

/** Returns what is wrong with a tree: crowded folders, missing READMEs, files that import too much, cycles. */
export function roomProblems({specifiers, readmes}: Tree): readonly RoomProblem[] {
  const imports = importsOf(specifiers);
  return [...folderProblems([...imports.keys()], readmes), ...importProblems(imports), ...cycleProblems(imports)];
}

type Imports = ReadonlyMap<string, readonly string[]>;

/** The imports among the files that are looked at. */
function importsOf(specifiers: Specifiers): Imports {
  const files = [...specifiers.keys()].filter((file) => !file.startsWith('code/'));
  return new Map(
    files.map((file) => {
      const relative = (specifiers.get(file) ?? []).filter((specifier) => specifier.startsWith('.'));
      return [file, [...new Set(relative.map((specifier) => targetOf(file, specifier)))]];
    }),
  );
}

function folderProblems(files: readonly string[], readmes: ReadonlySet<string>): RoomProblem[] {
  const counted = files.filter((file) => !/\.(?:table|gen)\.ts$/.test(file)).map((file) => posix.dirname(file));
  return [...Map.groupBy(counted, (folder) => folder)].flatMap(([path, {length}]) => [
    ...(length > LIMITS.files ? [{path, text: `${length} files, at most ${LIMITS.files}: make a room of one concern`}] : []),
    ...(length > LIMITS.filesWithoutReadme && !readmes.has(path)
      ? [{path, text: `${length} files and no README.md: what lives here, what may not, where to start`}]
      : []),
  ]);
}

function importProblems(imports: Imports): RoomProblem[] {
  return [...imports].flatMap(([path, {length}]) => {
    const limit = COMPOSITION_ROOTS.has(path) ? LIMITS.rootImports : LIMITS.imports;
    return length > limit ? [{path, text: `imports ${length} modules, at most ${limit}: split it by concern, or pass what it needs`}] : [];
  });
}

function cycleProblems(imports: Imports): RoomProblem[] {
  return cyclesIn(imports).map((cycle) => ({
    path: cycle[0] ?? '',
    text: `imports itself: ${[...cycle.slice(1), cycle[0]].join(' → ')}; move what they share into a lower file`,
  }));
}

/** Returns one shortest cycle for each group of files that import each other, type imports included; sorted by its first file. */
export function cyclesIn(imports: Imports): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const file of [...imports.keys()].toSorted()) {
    const cycle = seen.has(file) ? undefined : shortestCycle(file, imports);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const other of groupOf(file, imports)) seen.add(other);
  }
  return cycles;
}

/** From a file along its imports back to it; undefined where no way leads back. */
function shortestCycle(start: string, imports: Imports): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const reached = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** The files that a file reaches and that reach it. */
function groupOf(file: string, imports: Imports): readonly string[] {
  return [...reachedFrom(file, imports)].filter((other) => reachedFrom(other, imports).has(file));
}

function reachedFrom(start: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (const file of open) {
    for (const next of imports.get(file) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

function readTree(src: string): Tree {
  const names = readdirSync(src, {recursive: true, encoding: 'utf8'}).map((name) => name.split(sep).join('/'));
  const readmes = names.filter((name) => posix.basename(name) === 'README.md').map((name) => posix.dirname(name));
  return {specifiers: readSpecifiers(src), readmes: new Set(readmes)};
}

if (import.meta.main) {
  const src = join(import.meta.dirname, '../src');
  const gone = [...COMPOSITION_ROOTS].filter((path) => !existsSync(join(src, path)));
  const problems = [
    ...roomProblems(readTree(src)),
    ...gone.map((path) => ({path, text: 'is named as a composition root and does not exist'})),
  ];
  for (const {path, text} of problems) console.error(`src/${path}: ${text}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
