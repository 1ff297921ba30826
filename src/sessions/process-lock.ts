import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {FettleError, isFettleError} from '../base/errors.ts';
import {acquireWriterLock, type WriterLock} from './writer-lock.ts';

/** Longer than an issuer may take to answer. */
const TIMEOUT_MS = 45_000;
const LOOK_MS = 20;

/**
 * Runs `work` while no other process does, nor another call in this one. A lock whose process died is taken over.
 * Throws TIMEOUT if the others take longer than 45 s; `work` has not run then.
 * @param path Absolute; the file of the lock.
 */
export async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), {recursive: true, mode: 0o700});
  const lock = await acquired(path);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function acquired(path: string): Promise<WriterLock> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += LOOK_MS) {
    try {
      return await acquireWriterLock(path);
    } catch (thrown) {
      if (!isFettleError(thrown) || thrown.code !== 'UNAVAILABLE') throw thrown;
      await delay(LOOK_MS);
    }
  }
  const message = `another process has held ${path} for ${TIMEOUT_MS / 1000} s.`;
  throw new FettleError({code: 'TIMEOUT', message, hint: `End that process, or remove ${path} if there is none.`});
}
