import type {RunResult} from '../../agent/thread.ts';
import {FettleError} from '../../base/errors.ts';
import {describeError} from './describe-error.ts';
import type {Paint} from './output.ts';

/** Why a run did not end well: one line with what happened, one with what to do. */
export function describeOutcome({outcome, message, hint}: RunResult, paint: Paint): string {
  return describeError(new FettleError({code: 'LIMIT', message: message ?? outcome, hint}), paint);
}
