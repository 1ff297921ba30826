import type {DatabaseSync} from 'node:sqlite';
import {FettleError, isFettleError, toFettleError} from '../../base/errors.ts';

export interface Connection {
  readonly database: DatabaseSync;
  /** For messages. */
  readonly file: string;
}

/** Runs one transaction that writes: all of it is stored, or nothing. */
export function transaction<T>({database, file}: Connection, change: () => T): T {
  return namingCauses(file, () => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      database.exec('COMMIT');
      return result;
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw thrown;
    }
  });
}

/** Runs `act`; what it throws says what happened to the file, and what to do about it. */
export function namingCauses<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw isFettleError(thrown) ? thrown : storeError(file, thrown);
  }
}

function storeError(file: string, cause: unknown): FettleError {
  const result = cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode & 0xff : undefined;
  const known = KNOWN[result ?? 0];
  if (known !== undefined) return new FettleError({code: known.code, message: `${file}: ${known.message}.`, hint: known.hint, cause});
  if (result === undefined) return toFettleError(cause);
  return new FettleError({code: 'IO', message: `${file}: ${cause instanceof Error ? cause.message : String(cause)}.`, cause});
}

const BROKEN = {
  code: 'IO',
  message: 'the file is not a database any more',
  hint: 'Move it away: a new one is made, with no runs of the past. The jobs themselves are files of their own and stay.',
} as const;

/** By the lower byte of the code (sqlite.org/rescode.html). */
const KNOWN: Readonly<Record<number, {readonly code: 'IO' | 'UNAVAILABLE'; readonly message: string; readonly hint: string}>> = {
  5: {code: 'UNAVAILABLE', message: 'another process is writing to it', hint: 'Try again in a moment.'},
  8: {code: 'IO', message: 'it cannot be written', hint: 'Check owner and mode of the file and its folder, and the file system.'},
  10: {code: 'IO', message: 'the disk refused to read or write', hint: 'Check the disk; nothing was changed.'},
  11: BROKEN,
  13: {code: 'IO', message: 'the disk is full', hint: 'Free some space; nothing was changed.'},
  14: {code: 'IO', message: 'it cannot be opened', hint: 'Check owner and mode of the file and its folder.'},
  26: BROKEN,
};
