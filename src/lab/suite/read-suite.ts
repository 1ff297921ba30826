import {readdir, realpath, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {throwIfCancelled} from '../../workspace/open-regular-file.ts';
import {readFettleTask} from './fettle/read-fettle-task.ts';
import {isHarborTask, readHarborTask} from './harbor/read-harbor-task.ts';
import {findExercises, readExercise} from './polyglot/read-polyglot.ts';
import type {SuiteFacts} from './suite-facts.ts';
import type {Suite, SuiteTask} from './task.ts';
import {readInstances, readSweTask} from './swe-bench/read-swe-bench.ts';
import {CR_LF, hasFile, readTaskToml, taskProblem} from './task-text.ts';

/**
 * Reads a suite, in whatever format it is: a folder of task folders (Fettle's own or Harbor's), a single task folder, exercises of Exercism's
 * tracks, or a JSONL file of SWE-bench with local mirrors. A task that cannot be read is listed with its problem. Nothing of a task is run.
 * @throws FettleError NOT_FOUND, BAD_ARGS if there is no task at all, CANCELLED
 */
export async function readSuite(path: string, facts: SuiteFacts, signal: AbortSignal): Promise<Suite> {
  throwIfCancelled(signal);
  const folder = await realpath(path).catch((cause: unknown) => {
    throw new FettleError({code: 'NOT_FOUND', message: `No suite at ${path}.`, hint: 'Name a folder of tasks.', cause});
  });
  const isFolder = (await stat(folder)).isDirectory();
  const source = {folder, facts, signal};
  if (!isFolder) return folder.endsWith('.jsonl') ? await readInstanceFiles(source, [folder]) : reject(folder);
  if (await isTask(folder)) return suiteOf(folder, [await readOne({id: basename(folder), folder}, source)]);
  for (const readFormat of [readTaskFolders, readExercises, readFilesOfFolder]) {
    const suite = await readFormat(source);
    if (suite.tasks.length + suite.broken.length > 0) return suite;
  }
  return reject(folder);
}

interface SuiteSource {
  /** Real path of the suite: a folder, or a file of instances. */
  readonly folder: string;
  readonly facts: SuiteFacts;
  readonly signal: AbortSignal;
}

function reject(folder: string): never {
  throw noSuite(folder);
}

function noSuite(folder: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${folder} is not a suite: it has no task.`,
    hint: 'A suite is a folder of task folders, each with a task.toml; a JSONL file of SWE-bench; or a track with exercises/practice.',
  });
}

async function readTaskFolders(source: SuiteSource): Promise<Suite> {
  const {folder} = source;
  const read: Read[] = [];
  for (const entry of (await readdir(folder, {withFileTypes: true})).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.isFile()) continue;
    const one = join(folder, entry.name);
    if (!entry.isDirectory()) {
      const leads = entry.isSymbolicLink() && (await isTask(one));
      if (leads) read.push({id: entry.name, problem: `${one}: a link; a task must be a folder of the suite`});
      continue;
    }
    if (await isTask(one)) read.push(await readOne({id: entry.name, folder: one}, source));
    else if (await has(one, 'task.yaml')) read.push({id: entry.name, problem: `${join(one, 'task.yaml')}: ${EARLIER_FORMAT}`});
  }
  return suiteOf(folder, read);
}

/** True if there is anything by the name of `task.toml`; whether it can be read is another question. */
async function isTask(folder: string): Promise<boolean> {
  return await has(folder, 'task.toml');
}

async function has(folder: string, name: string): Promise<boolean> {
  return await hasFile(join(folder, name)).catch(() => true);
}

/** Harbor › Migrating from Terminal-Bench. */
const EARLIER_FORMAT = 'a task of Terminal-Bench 1, whose format is not read. Convert it: harbor tasks migrate -i FOLDER -o NEW-FOLDER';

type Read = SuiteTask | {readonly id: string; readonly problem: string};

async function readOne({id, folder}: {id: string; folder: string}, {facts, signal}: SuiteSource): Promise<Read> {
  return await orBroken(id, async () => {
    const toml = await readTaskToml(join(folder, 'task.toml'));
    const source = {id, folder, toml, facts};
    return (await isHarborTask(folder, toml)) ? await readHarborTask(source, signal) : await readFettleTask(source, signal);
  });
}

async function readExercises({folder, facts, signal}: SuiteSource): Promise<Suite> {
  const read: Read[] = [];
  for (const exercise of await findExercises(folder)) {
    read.push(await orBroken(exercise.id, async () => await readExercise(exercise, facts, signal)));
  }
  return suiteOf(folder, read);
}

async function readFilesOfFolder(source: SuiteSource): Promise<Suite> {
  const names = (await readdir(source.folder, {withFileTypes: true})).filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'));
  return await readInstanceFiles(source, names.map(({name}) => join(source.folder, name)).toSorted());
}

async function readInstanceFiles({folder, facts, signal}: SuiteSource, files: readonly string[]): Promise<Suite> {
  const read: Read[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    for (const one of await readInstances(file)) {
      const problem =
        'problem' in one ? one.problem : ids.has(one.id) ? `${file}:${one.line}: ${one.id} is in another file, too` : undefined;
      ids.add(one.id);
      if ('instance' in one && problem === undefined)
        read.push(await orBroken(one.id, async () => await readSweTask(one.instance, {file, facts}, signal), `${file}:${one.line}: `));
      else read.push({id: one.id, problem: problem ?? ''});
    }
  }
  return suiteOf(folder, read);
}

/** Mistakes in a task are data; that the person stops is not. `where`: file and line, for problems that do not name them. */
async function orBroken(id: string, readTask: () => Promise<SuiteTask>, where = ''): Promise<Read> {
  try {
    assertId(id);
    const task = await readTask();
    for (const {setUp, verify} of task.steps) for (const line of [...setUp, verify.command]) assertShellLine(line);
    return task;
  } catch (error) {
    const known = toFettleError(error);
    if (known.code === 'CANCELLED' || known.code === 'INTERNAL') throw error;
    return {id, problem: `${where}${known.message}`};
  }
}

/** Ids become names of folders and keys of stored artefacts. */
function assertId(id: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(id)) return;
  throw new FettleError({
    code: 'CONFIG',
    message: `${JSON.stringify(id)} cannot be the id of a task: letters, digits, ".", "_" and "-", at most 200, the first a letter or digit. Rename it.`,
  });
}

/** Throws CONFIG for a line that no system takes as an argument: it would fail at every start. */
function assertShellLine(line: string): void {
  const start = JSON.stringify(line.slice(0, 40));
  if (line.includes('\0')) throw taskProblem(`the shell line ${start} has a NUL character`);
  if (line.includes('\r\n')) throw taskProblem(`the shell line ${start}… has ${CR_LF}`);
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_LINE_BYTES)
    throw taskProblem(`the shell line ${start}… has ${bytes} bytes, at most ${MAX_LINE_BYTES}: put it into a script beside the tests`);
}

/** Linux takes arguments below 128 KiB (execve(2)). */
const MAX_LINE_BYTES = 100_000;

function suiteOf(folder: string, read: readonly Read[]): Suite {
  return {
    name: basename(folder),
    folder,
    tasks: read.flatMap((one) => ('digest' in one ? [one] : [])),
    broken: read.flatMap((one) => ('digest' in one ? [] : [one])),
  };
}
