import type {RunResult} from '../../../agent/thread.ts';
import {FettleError} from '../../../base/errors.ts';
import {createRedactor} from '../../../base/redact.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {endingLines} from '../../../sdk/verification/ending-lines.ts';
import {describeError} from './describe-error.ts';
import type {Paint} from './output.ts';

/** Describes why a run failed in one line, with the hint in a second one. */
export function describeOutcome({outcome, message, hint}: RunResult, paint: Paint): string {
  return describeError(new FettleError({code: 'LIMIT', message: message ?? outcome, hint}), paint);
}

/** Returns the lines that explain how a run ended, coloured. */
export function describeEnding(result: RunResult, paint: Paint): readonly string[] {
  const {text: redacted} = createRedactor({shapes: true});
  return endingLines(result).map(({style, text}) => paint(style, visibleText(redacted(text))));
}
