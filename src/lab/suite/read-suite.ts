import {readdir, realpath, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {throwIfCancelled} from '../../workspace/open-regular-file.ts';
import {readFettleTask} from './fettle/read-fettle-task.ts';
import {isHarborTask, readHarborTask} from './harbor/read-harbor-task.ts';
import type {SuiteFacts} from './suite-facts.ts';
import type {Suite, SuiteTask} from './task.ts';
import {hasFile, readTaskToml} from './task-text.ts';

/**
 * Reads a suite, in whatever format it is: a folder of task folders (Fettle's own or Harbor's), or a single task folder. A task that cannot be
 * read is listed with its problem. Nothing of a task is run.
 * @throws FettleError NOT_FOUND, BAD_ARGS if there is no task at all, CANCELLED
 */
export async function readSuite(path: string, facts: SuiteFacts, signal: AbortSignal): Promise<Suite> {
  throwIfCancelled(signal);
  const folder = await realpath(path).catch((cause: unknown) => {
    throw new FettleError({code: 'NOT_FOUND', message: `There is no suite at ${path}.`, hint: 'Name a folder of tasks.', cause});
  });
  if (!(await stat(folder)).isDirectory()) throw noSuite(folder);
  const suite = await readTaskFolders(folder, facts, signal);
  if (suite.tasks.length + suite.broken.length === 0) throw noSuite(folder);
  return suite;
}

function noSuite(folder: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${folder} is not a suite: no folder in it has a task.toml.`,
    hint: 'A suite is a folder of task folders, each with a task.toml.',
  });
}

async function readTaskFolders(folder: string, facts: SuiteFacts, signal: AbortSignal): Promise<Suite> {
  if (await isTask(folder)) return suiteOf(folder, [await readOne({id: basename(folder), folder, facts}, signal)]);
  const read: Read[] = [];
  for (const entry of (await readdir(folder, {withFileTypes: true})).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.isFile()) continue;
    const one = join(folder, entry.name);
    if (!entry.isDirectory()) {
      const leads = entry.isSymbolicLink() && (await isTask(one));
      if (leads) read.push({id: entry.name, problem: `${one}: a link; a task must be a folder of the suite`});
      continue;
    }
    if (await isTask(one)) read.push(await readOne({id: entry.name, folder: one, facts}, signal));
  }
  return suiteOf(folder, read);
}

/** True if there is anything by the name of `task.toml`; whether it can be read is another question. */
async function isTask(folder: string): Promise<boolean> {
  return await hasFile(join(folder, 'task.toml')).catch(() => true);
}

type Read = SuiteTask | {readonly id: string; readonly problem: string};

async function readOne(source: {id: string; folder: string; facts: SuiteFacts}, signal: AbortSignal): Promise<Read> {
  const {id, folder} = source;
  try {
    assertId(id);
    const toml = await readTaskToml(join(folder, 'task.toml'));
    return (await isHarborTask(folder, toml))
      ? await readHarborTask({...source, toml}, signal)
      : await readFettleTask({...source, toml}, signal);
  } catch (error) {
    if (!isFettleError(error) || error.code === 'CANCELLED') throw error;
    return {id, problem: error.message};
  }
}

/** Ids become names of folders and keys of stored artefacts. */
function assertId(id: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(id)) return;
  throw new FettleError({
    code: 'CONFIG',
    message: `${JSON.stringify(id)} cannot be the id of a task: letters, digits, ".", "_" and "-", at most 200, the first a letter or digit.`,
  });
}

function suiteOf(folder: string, read: readonly Read[]): Suite {
  return {
    name: basename(folder),
    folder,
    tasks: read.flatMap((one) => ('digest' in one ? [one] : [])),
    broken: read.flatMap((one) => ('digest' in one ? [] : [one])),
  };
}
