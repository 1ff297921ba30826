import {statSync} from 'node:fs';
import {FettleError} from '../base/errors.ts';
import type {SessionFile} from './session-files.ts';

/**
 * Throws DENIED for the session of another user: whoever can write a file into the folder would put words into the mouth of this one
 * (security › sessions of others). Where files have no owners there is nothing to compare.
 */
export function assertSessionOwner({threadId, file}: SessionFile): void {
  const uid = process.getuid?.();
  if (uid === undefined || statSync(file).uid === uid) return;
  throw new FettleError({
    code: 'DENIED',
    message: `The session ${threadId} belongs to another user: ${file}.`,
    hint: 'Export it as its owner, or copy it to a file of your own after checking its content.',
  });
}
