import {FettleError} from '../../base/errors.ts';
import type {Io} from './io.ts';

/** Refuses what a person alone decides to a command that Fettle runs: it would widen what the model may do (CVE-2025-53773). */
export function refuseInsideFettle({env}: Pick<Io, 'env'>, {cannot, instead}: {readonly cannot: string; readonly instead: string}): void {
  if (env['FETTLE_CALL_ID'] === undefined) return;
  throw new FettleError({
    code: 'DENIED',
    message: `A command that Fettle runs cannot ${cannot}.`,
    hint: `Type \`${instead}\` in a terminal of your own.`,
  });
}
