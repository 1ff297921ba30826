import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {openDirectory, type DirectoryHandle} from '../exec/directory-handle.ts';
import {QUICK_FS, type FileStepsFs} from './atomic-fs.ts';
import type {FileState, WrittenState} from './file-state.ts';
import {readWhole, throwIfCancelled, withRegularFile} from './open-regular-file.ts';
import {temporaryName} from './temporary-file.ts';
import {writeFileAtomic} from './write-file.ts';

export type FileStep =
  | {
      readonly kind: 'write';
      /** Absolute, no link. */
      readonly path: string;
      readonly bytes: Uint8Array;
      /** The expected state of the file, or that none exists. */
      readonly expect: FileState | 'absent';
      /** Mode of a file that replaces another. */
      readonly mode?: number | undefined;
    }
  /** A file or a link. */
  | {readonly kind: 'delete'; readonly path: string};

export interface FileStepsOptions {
  readonly signal: AbortSignal;
  /** Called when a file got its old content back. */
  readonly onRestored?: ((path: string, state: FileState) => void) | undefined;
  readonly fs?: FileStepsFs | undefined;
}

/**
 * Writes and deletes several files, all or none: if one fails, earlier changes are reverted, including new
 * folders. Each single file is replaced in one step. Returns the states of those written. @throws FettleError of
 * `writeFileAtomic`; IO that names the changes that could not be reverted.
 */
export async function writeFiles(steps: readonly FileStep[], options: FileStepsOptions): Promise<ReadonlyMap<string, WrittenState>> {
  const {signal, onRestored, fs = QUICK_FS} = options;
  const job: Job = {fs, onRestored, states: new Map(), undo: [], asides: []};
  try {
    for (const step of steps) {
      throwIfCancelled(signal);
      if (step.kind === 'write') await write(step, job);
    }
    for (const step of steps) if (step.kind === 'delete') await quarantine(step.path, job);
  } catch (error) {
    throw await takenBack(job, toFettleError(error));
  }
  // From here on everything is done; a leftover name would do no harm.
  for (const aside of job.asides) await inFolder(aside, (at) => fs.unlink(at)).catch(() => undefined);
  return job.states;
}

interface Job {
  readonly fs: FileStepsFs;
  readonly onRestored: ((path: string, state: FileState) => void) | undefined;
  readonly states: Map<string, WrittenState>;
  readonly undo: {readonly path: string; run(): Promise<void>}[];
  readonly asides: string[];
}

async function write({path, bytes, expect, mode}: FileStep & {kind: 'write'}, job: Job): Promise<void> {
  const {fs, undo} = job;
  const before = expect === 'absent' ? undefined : await withRegularFile(path, readWhole);
  const onFolder = (made: string): void => void undo.push({path: made, run: () => inFolder(made, (at) => fs.rmdir(at))});
  const {state} = await writeFileAtomic(path, bytes, {expect, mode, onFolder, fs});
  undo.push({path, run: before === undefined ? () => inFolder(path, (at) => fs.unlink(at)) : () => restore(path, before, job)});
  job.states.set(path, state);
}

async function restore(path: string, before: Uint8Array, {fs, onRestored}: Job): Promise<void> {
  const {state} = await writeFileAtomic(path, before, {fs});
  onRestored?.(path, state);
}

/** Renamed rather than deleted, so that it can be restored unchanged. */
async function quarantine(path: string, {fs, undo, asides}: Job): Promise<void> {
  const aside = join(dirname(path), temporaryName());
  const rename = (from: string, to: string): Promise<void> => inFolder(from, (at, folder) => fs.rename(at, folder.at(basename(to))));
  await rename(path, aside);
  asides.push(aside);
  undo.push({path, run: () => rename(aside, path)});
}

/** Runs an action on the entry at a path, in its real folder. */
async function inFolder(path: string, act: (at: string, folder: DirectoryHandle) => Promise<void>): Promise<void> {
  await using folder = await openDirectory(dirname(path));
  await folder.confirm();
  try {
    await act(folder.at(basename(path)), folder);
  } catch (error) {
    throw folder.named(error);
  }
}

async function takenBack({undo}: Job, error: FettleError): Promise<FettleError> {
  const failed: string[] = [];
  for (const {path, run} of undo.toReversed()) {
    await run().catch((problem: unknown) => {
      if (systemErrorCode(problem) !== 'ENOENT') failed.push(path);
    });
  }
  if (failed.length === 0) return error;
  return new FettleError({
    code: 'IO',
    message: `${error.message} What was done to ${failed.join(', ')} before could not be taken back.`,
    hint: 'Look at these files before going on.',
    cause: error,
  });
}
