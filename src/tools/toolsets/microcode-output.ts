import {endLine} from '../output/bound-output.ts';
import {headOf} from '../output/truncate-bytes.ts';
import type {RunShellResult} from '../operations/exec/run-shell.ts';
import {exitText} from './exit-text.ts';

/** "truncated to 200 KB" (microcode tools › bash), without the exit code. */
export const MAX_OUTPUT_BYTES = 200_000;
/** Two streams that each fit may be too long together, so shorter ones are stored, too. */
export const SPILL_ABOVE = MAX_OUTPUT_BYTES / 2;

/**
 * stdout, then stderr after `--- stderr ---`, cut at 200 KB; the exit code on the last line, outside the cut
 * (microcode tools › bash: "with the exit code on the last line").
 */
export function combinedOutput(result: RunShellResult): string {
  const {stdout, stderr} = result;
  const errors = stderr.totalBytes === 0 ? '' : `--- stderr ---\n${stderr.head}`;
  // A long stdout leaves room for stderr.
  const output = headOf(stdout.head, Math.max(SPILL_ABOVE, MAX_OUTPUT_BYTES - Buffer.byteLength(errors)));
  const shownErrors = headOf(errors, MAX_OUTPUT_BYTES - Buffer.byteLength(output));
  const cut = [
    ...(stdout.truncated || output.length < stdout.head.length ? [stdout] : []),
    ...(stderr.truncated || shownErrors.length < errors.length ? [stderr] : []),
  ];
  const kept = cut.flatMap(({spillPath, spillLoss}) => [spillPath ?? [], spillLoss ?? []].flat());
  const whereabouts = kept.length === 0 ? '' : `; whole output: ${kept.join(', ')}`;
  const note = cut.length === 0 ? '' : `[cut at ${MAX_OUTPUT_BYTES} of ${stdout.totalBytes + stderr.totalBytes} bytes${whereabouts}]\n`;
  return `${endLine(output)}${endLine(shownErrors)}${note}exit code: ${exitText(result)}`;
}
