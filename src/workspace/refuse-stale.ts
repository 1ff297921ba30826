import {stat} from 'node:fs/promises';
import {systemErrorCode, toFettleError} from '../base/errors.ts';
import {sameState, stateOf, type FileState} from './file-state.ts';
import {staleFile} from './write-file.ts';

/** Throws STALE if a file is no longer in its known state; undefined: any state will do. */
export async function refuseStale(path: string, known: FileState | undefined): Promise<void> {
  if (known === undefined) return;
  const stats = await stat(path).catch((error: unknown) => {
    throw systemErrorCode(error) === 'ENOENT' ? staleFile(path, 'was removed') : toFettleError(error);
  });
  if (!sameState(stateOf(stats), known)) throw staleFile(path, 'changed on disk');
}
