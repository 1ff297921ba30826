import {constants} from 'node:fs';
import {lstat, open, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, isFettleError, systemErrorCode} from '../../base/errors.ts';
import {MAX_CONFIG_BYTES} from '../../config/config-file.ts';
import type {JobDefinition} from './job-definition.ts';
import {isJobName} from './job-name.ts';
import {parseJob} from './parse-job.ts';

/** A file in the folder of jobs: a job, or what is wrong with it, one line each. */
export type FoundJob = {readonly name: string; readonly file: string} & (
  | {readonly job: JobDefinition}
  | {readonly problems: readonly string[]}
);

export function jobFile(folder: string, name: string): string {
  return join(folder, `${name}.toml`);
}

/** Reads every job in the folder of definitions, sorted by name. Nothing of a project is ever read as a job. One that cannot be used is data, and the others go on. Throws CONFIG for a folder that others can write. */
export async function readJobs(folder: string): Promise<readonly FoundJob[]> {
  if (!(await isOwnFolder(folder))) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.toml') && !name.startsWith('.'));
  return await Promise.all(names.toSorted().map(async (name) => await readFound(folder, name.slice(0, -'.toml'.length))));
}

/** Reads one job; undefined if there is none of this name. */
export async function readJob(folder: string, name: string): Promise<FoundJob | undefined> {
  if (!isJobName(name) || !(await isOwnFolder(folder))) return undefined;
  const isThere = await lstat(jobFile(folder, name)).then(
    () => true,
    () => false,
  );
  return isThere ? await readFound(folder, name) : undefined;
}

async function readFound(folder: string, name: string): Promise<FoundJob> {
  const file = jobFile(folder, name);
  if (!isJobName(name)) {
    return {name, file, problems: [`${file}: the name of a job has lower case letters, digits and single hyphens, at most 64 characters`]};
  }
  try {
    return {name, file, ...parseJob({name, file, bytes: await readOwnFile(file)})};
  } catch (thrown) {
    if (isFettleError(thrown)) return {name, file, problems: [thrown.message]};
    const code = systemErrorCode(thrown);
    if (code === undefined) throw thrown;
    return {name, file, problems: [`${file}: cannot be read (${code})`]};
  }
}

/** The text of a job's file, under the same conditions as it is read. Throws CONFIG, or what the system says. */
export async function readJobText(folder: string, name: string): Promise<string> {
  return new TextDecoder().decode(await readOwnFile(jobFile(folder, name)));
}

/** A link, or a file that others can write, is never used: its rights would be theirs. */
async function readOwnFile(file: string): Promise<Uint8Array> {
  if ((await lstat(file)).isSymbolicLink()) throw refused(file, 'a link is not read as a job; put the file itself here');
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile()) throw refused(file, 'not a regular file');
  if (isOpenToOthers(found)) throw refused(file, `others can write it, so it is not used; \`chmod 600\` it`);
  if (found.size > MAX_CONFIG_BYTES) throw refused(file, 'larger than 256 KB, which no job is');
  return await handle.readFile();
}

/** Returns false if there is none. Throws CONFIG for a folder that others can write. */
export async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT' || systemErrorCode(thrown) === 'ENOTDIR') return undefined;
    throw thrown;
  });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw refused(folder, 'not a folder');
  if (isOpenToOthers(found)) throw refused(folder, `others can write this folder, so none of its jobs is used; \`chmod 700\` it`);
  return true;
}

function isOpenToOthers({uid, mode}: {readonly uid: number; readonly mode: number}): boolean {
  const own = process.getuid?.();
  return own !== undefined && ((uid !== own && uid !== 0) || (mode & 0o022) !== 0);
}

function refused(path: string, why: string): FettleError {
  return new FettleError({code: 'CONFIG', message: `${path}: ${why}`, hint: 'Only your own files decide what runs without you.'});
}
