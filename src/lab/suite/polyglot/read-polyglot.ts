import {readdir} from 'node:fs/promises';
import {extname, join, relative} from 'node:path';
import {isJsonObject, parseJson, type Json} from '../../../base/json.ts';
import {importFiles, isPlainPath, type ImportedFile} from '../imports/import-files.ts';
import {importScript, type ScriptedCall} from '../imports/solving-script.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import type {SuiteTask} from '../task.ts';
import {taskDigest} from '../task-digest.ts';
import {hasFile, hasFolder, kindAt, readTaskBytes, readTaskText, taskProblem} from '../task-text.ts';
import {treeDigest} from '../tree-digest.ts';
import {LANGUAGES, quoted} from './languages.ts';

/** The folder of an exercise, and the id of its task. */
export interface Exercise {
  readonly id: string;
  readonly folder: string;
}

/**
 * Lists the exercises of a track (`exercises/practice/*`), or of a folder of tracks, as Exercism and the polyglot benchmark of Aider have them.
 * Exercises of a track have the name of its folder in front.
 */
export async function findExercises(folder: string): Promise<readonly Exercise[]> {
  const own = await exercisesOf(folder, '');
  if (own.length > 0) return own;
  const tracks = (await readdir(folder, {withFileTypes: true})).filter((entry) => entry.isDirectory()).map(({name}) => name);
  return (await Promise.all(tracks.toSorted().map(async (name) => await exercisesOf(join(folder, name), `${name}-`)))).flat();
}

async function exercisesOf(track: string, prefix: string): Promise<Exercise[]> {
  const practice = join(track, 'exercises/practice');
  const names = await readdir(practice, {withFileTypes: true}).catch(() => []);
  const folders = names.filter((entry) => entry.isDirectory()).map(({name}) => ({id: `${prefix}${name}`, folder: join(practice, name)}));
  const isExercise = await Promise.all(
    folders.map(async ({folder}) => (await kindOrUndefined(join(folder, '.meta/config.json'))) === 'file'),
  );
  return folders.filter((_, index) => isExercise[index]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function kindOrUndefined(path: string): Promise<string | undefined> {
  return await kindAt(path).catch(() => undefined);
}

/**
 * Reads an exercise. The agent sees its files without `.meta` and the tests; before the verification all files that are not the solution are put
 * back, tests that learners would switch on later are on. The example solution becomes a script. @throws FettleError CONFIG, CANCELLED
 */
export async function readExercise({id, folder}: Exercise, facts: SuiteFacts, signal: AbortSignal): Promise<SuiteTask> {
  // Refuses what could not be copied, before anything is.
  await treeDigest(folder, signal);
  const named = await namedFiles(folder);
  const language = LANGUAGES.get(extname(named.test[0] ?? ''));
  if (language === undefined) throw taskProblem(`${folder}: how tests like ${named.test[0]} are run is not known`);
  const visible = (await readdir(folder)).filter((name) => name !== '.meta').toSorted();
  const kept = visible.filter((name) => !named.test.some((path) => path === name));
  const hidden = await importFiles(facts.importsFolder, await hiddenFiles({folder, named, visible}, language.unskip ?? unchanged));
  const planted = (language.loads ?? []).filter((name) => !visible.includes(name));
  const inFolder = named.test.some((path) => path.includes('/'));
  const task = {
    steps: [
      {
        name: 'task',
        prompt: await promptOf(folder, named.solution),
        // Tests in folders come along with these; the agent must not see them.
        setUp: inFolder ? [`rm -f -- ${quoted(named.test)}`] : [],
        verify: {
          command: `${planted.length === 0 ? '' : `rm -rf -- ${quoted(planted)} && `}${language.command(named.test)}`,
          tests: [hidden],
          testsAt: '.',
          rewardFiles: [],
          timeoutS: 300,
          env: {},
        },
      },
    ],
    start: {kind: 'empty'},
    place: {
      kind: 'folder',
      workdir: '.',
      env: {},
      copies: kept.map((name) => ({from: join(folder, name), to: name})),
      network: false,
      mcpServers: [],
    },
    limits: {agentTimeS: 600},
  } as const;
  const {needs, needsFolder} = language;
  return {
    ...task,
    id,
    format: 'polyglot',
    digest: await taskDigest(task, signal),
    lacks: [
      ...needs.filter((name) => !facts.programs.has(name)).map((name) => `${name} is not on PATH.`),
      ...(needsFolder === undefined || (await hasFolder(join(folder, needsFolder)))
        ? []
        : [`Its tests need the packages of its package.json in ${needsFolder}; nothing is installed here.`]),
    ],
    labels: {language: language.name},
    script: await exampleScript(folder, named, facts.importsFolder),
  };
}

interface NamedFiles {
  readonly solution: readonly string[];
  readonly test: readonly string[];
  readonly example: readonly string[];
}

/** The `files` of `.meta/config.json`. */
async function namedFiles(folder: string): Promise<NamedFiles> {
  const file = join(folder, '.meta/config.json');
  const config = parseJson(await readTaskText(file));
  const files = isJsonObject(config) ? config['files'] : undefined;
  if (!isJsonObject(files)) throw taskProblem(`${file}: no files`);
  const list = (key: string, value: Json = files[key] ?? []): readonly string[] => {
    if (Array.isArray(value) && value.every((path: Json) => typeof path === 'string' && isPlainPath(path)))
      return value as readonly string[];
    throw taskProblem(`${file}: files.${key} must be a list of relative paths`);
  };
  // The cases of Go's tests are a file of their own, which learners are shown.
  const cases = list('editor').filter((path) => path.endsWith('_test.go'));
  const named = {
    solution: list('solution'),
    test: [...list('test'), ...cases],
    example: list('example', files['example'] ?? files['exemplar'] ?? []),
  };
  for (const key of ['solution', 'test'] as const) {
    if (named[key].length === 0) throw taskProblem(`${file}: files.${key} is empty`);
    for (const path of named[key]) if (!(await hasFile(join(folder, path)))) throw taskProblem(`${file}: files.${key}: ${path} is missing`);
  }
  return named;
}

interface ExerciseFiles {
  readonly folder: string;
  readonly named: NamedFiles;
  readonly visible: readonly string[];
}

/** Tests, and all that they run with: build files, frameworks. Packages that were installed are not put back. */
async function hiddenFiles({folder, named, visible}: ExerciseFiles, unskip: (source: string) => string): Promise<ImportedFile[]> {
  const top = visible.filter((name) => name !== '.docs' && name !== 'node_modules');
  const found = await Promise.all(top.map(async (name) => await filesBelow(folder, name)));
  const files = [...named.test, ...found.flat().filter((path) => !named.test.includes(path) && !named.solution.includes(path))];
  return await Promise.all(
    files.map(async (path) => {
      const bytes = await readTaskBytes(join(folder, path), MAX_BYTES);
      const isTest = named.test.includes(path);
      return {path, bytes: isTest ? Buffer.from(unskip(bytes.toString('latin1')), 'latin1') : bytes};
    }),
  );
}

/** As much as a tree may have. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Links are made by no track. */
async function filesBelow(folder: string, name: string): Promise<string[]> {
  const kind = await kindOrUndefined(join(folder, name));
  if (kind !== 'folder') return kind === 'file' ? [name] : [];
  const entries = await readdir(join(folder, name), {recursive: true, withFileTypes: true});
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function unchanged(source: string): string {
  return source;
}

async function promptOf(folder: string, solution: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const name of ['introduction.md', 'introduction.append.md', 'instructions.md', 'instructions.append.md']) {
    const file = join(folder, '.docs', name);
    if (await hasFile(file)) parts.push((await readTaskText(file)).trim());
  }
  if (parts.length === 0) throw taskProblem(`${join(folder, '.docs/instructions.md')}: missing`);
  return [...parts, `Write the solution in ${solution.join(', ')}. Keep the names that are there: hidden tests use them.`].join('\n\n');
}

/** Maps example files to the solution files, in their order. */
async function exampleScript(folder: string, {solution, example}: NamedFiles, importsFolder: string): Promise<string | undefined> {
  const calls: ScriptedCall[] = [];
  for (const [index, path] of solution.entries()) {
    const from = example[index];
    if (from === undefined || !(await hasFile(join(folder, from)))) continue;
    calls.push({name: 'write', arguments: {path, content: await readTaskText(join(folder, from))}});
  }
  return calls.length === 0 ? undefined : await importScript(importsFolder, [calls]);
}
