import type {FettleError} from '../../../base/errors.ts';
import {createRedactor} from '../../../base/redact.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {Paint} from './output.ts';

/**
 * Describes an error in one line, with the hint in a second one; a defect of Fettle also shows its place. A
 * server may have repeated a key in its refusal.
 */
export function describeError(error: FettleError, paint: Paint): string {
  const {text} = createRedactor({shapes: true});
  const shown = (value: string): string => visibleText(text(value));
  const lines = [`${paint('red', 'fettle:')} ${shown(error.message)}`];
  if (error.hint !== undefined) lines.push(`  ${paint('dim', 'hint:')} ${shown(error.hint)}`);
  if (error.code === 'INTERNAL') lines.push(shown((error.cause instanceof Error ? error.cause.stack : error.stack) ?? ''));
  return lines.join('\n');
}
