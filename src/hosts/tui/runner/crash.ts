import {randomUUID} from 'node:crypto';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError, isFettleError} from '../../../base/errors.ts';

/** Calls `onCrash` for uncaught errors, instead of ending the process with the terminal in its modes. Returns a function that stops it. */
export function watchCrashes(onCrash: (thrown: unknown) => void): () => void {
  process.on('uncaughtException', onCrash);
  return () => void process.off('uncaughtException', onCrash);
}

/** Describes a defect for a person: its trace is in a file of `<state>/crashes`. An expected error stays as it is. */
export function crashError(thrown: unknown, stateDir: string): FettleError {
  if (isFettleError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const file = written(stateDir, thrown);
  const where = file === undefined ? '' : `What happened is in ${file}. `;
  return new FettleError({
    code: 'INTERNAL',
    message: `The screen has failed: ${message.split('\n', 1)[0] ?? ''}`,
    hint: `${where}The session is saved: fettle --last resumes it.`,
    cause: thrown,
  });
}

/** undefined if the folder cannot be written. */
function written(stateDir: string, thrown: unknown): string | undefined {
  const folder = join(stateDir, 'crashes');
  const at = new Date().toISOString();
  const file = join(folder, `${at.replaceAll(/\D/g, '').slice(0, 14)}-${randomUUID().slice(0, 8)}.log`);
  const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    writeFileSync(file, `${at} node ${process.version}\n${trace}\n`, {mode: 0o600, flag: 'wx'});
    return file;
  } catch {
    return undefined;
  }
}
