import {endLine} from '../output/bound-output.ts';
import type {RunShellResult} from '../operations/exec/run-shell.ts';

/** Formats a result as in "vibe tool system": a line `key: value` for each field, lists and objects as JSON. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Formats an error in the tags that mark text of the harness. */
export function toolError(name: string, message: string): string {
  return `<tool_error>${name} failed: ${message}</tool_error>`;
}

/** Bytes shown of each stream. */
export const STREAM_BYTES = 16_000;

/** Returns the beginning of a stream, and the place of the rest. */
export function shownStream({head, totalBytes, truncated, spillPath, spillLoss}: RunShellResult['stdout']): string {
  if (!truncated) return head.trimEnd();
  const whole = spillPath === undefined ? (spillLoss ?? 'the rest was not saved') : `all of it: ${spillPath}`;
  return `${endLine(head)}[the first ${STREAM_BYTES} of ${totalBytes} bytes; ${whole}]`;
}
