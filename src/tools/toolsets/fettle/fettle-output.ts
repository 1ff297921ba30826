import {endLine} from '../../output/bound-output.ts';
import {headOf, tailOf} from '../../output/truncate-bytes.ts';
import type {RunShellResult} from '../../operations/exec/run-shell.ts';
import {exitText, failed} from '../exit-text.ts';

/** A stream up to this size is shown whole. */
export const CAPTURE = {headBytes: 2_500, tailBytes: 5_500};
/** Bytes shown of larger streams, shared between the two: 2 MB of output stay below 2,500 tokens. */
const SHOWN_BYTES = 5_000;
const HEAD_SHARE = 0.4;

type Stream = RunShellResult['stdout'];

/** Both streams, large ones reduced to beginning and end, and how the command ended if it failed. */
export function commandOutput(result: RunShellResult): string {
  const {stdout, stderr} = result;
  const share = stdout.truncated && stderr.truncated ? SHOWN_BYTES / 2 : SHOWN_BYTES;
  const errors = stderr.totalBytes === 0 ? '' : `${stdout.totalBytes === 0 ? '' : '--- stderr ---\n'}${shownStream(stderr, share)}`;
  const output = endLine(shownStream(stdout, share)) + endLine(errors);
  if (failed(result)) return `${output}[exit code ${exitText(result)}]`;
  return output === '' ? '(no output)' : output.trimEnd();
}

function shownStream(stream: Stream, share: number): string {
  const {head, tail, totalBytes, totalLines, truncated} = stream;
  if (!truncated) return head;
  const first = headOf(head, share * HEAD_SHARE);
  const last = tailOf(tail, share * (1 - HEAD_SHARE));
  const omitted = totalBytes - Buffer.byteLength(first) - Buffer.byteLength(last);
  return `${endLine(first)}[… ${omitted} of ${totalBytes} bytes, ${totalLines} lines in all, left out; ${whereabouts(stream)} …]\n${last}`;
}

function whereabouts({spillPath, spillLoss}: Stream): string {
  if (spillPath === undefined) return spillLoss ?? 'not kept';
  const kept = spillLoss === undefined ? `all of it: ${spillPath}` : `${spillLoss} the rest: ${spillPath}`;
  return `${kept} (read it with offset and limit, or grep it)`;
}
