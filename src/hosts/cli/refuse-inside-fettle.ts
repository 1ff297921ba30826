import {FettleError} from '../../base/errors.ts';
import type {Io} from './io.ts';

/** Refuses an action that only a person may take to a command that Fettle runs: it would widen the permissions of the model (CVE-2025-53773). */
export function refuseInsideFettle({env}: Pick<Io, 'env'>, {cannot, instead}: {readonly cannot: string; readonly instead: string}): void {
  if (env['FETTLE_CALL_ID'] === undefined) return;
  throw new FettleError({
    code: 'DENIED',
    message: `A command that Fettle runs cannot ${cannot}.`,
    hint: `Type \`${instead}\` in a terminal of your own.`,
  });
}
