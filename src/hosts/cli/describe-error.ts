import type {FettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {Paint} from './output.ts';

/** One line with what happened, one with what to do; a defect of Fettle also shows where. */
export function describeError(error: FettleError, paint: Paint): string {
  const lines = [`${paint('red', 'fettle:')} ${visibleText(error.message)}`];
  if (error.hint !== undefined) lines.push(`  ${paint('dim', 'hint:')} ${visibleText(error.hint)}`);
  if (error.code === 'INTERNAL') lines.push(visibleText((error.cause instanceof Error ? error.cause.stack : error.stack) ?? ''));
  return lines.join('\n');
}
