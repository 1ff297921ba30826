import {endLine} from '../bound-output.ts';
import {headOf} from '../cut-text.ts';
import type {RunShellResult} from '../operations/run-shell.ts';
import {exitText} from './exit-text.ts';

/** "truncated to 200 KB" (microcode tools › bash), without the exit code. */
export const MAX_OUTPUT_BYTES = 200_000;

/**
 * stdout, then stderr after `--- stderr ---`, cut at 200 KB; the exit code on the last line, outside the cut
 * (microcode tools › bash: "with the exit code on the last line").
 */
export function combinedOutput(result: RunShellResult): string {
  const {stdout, stderr} = result;
  const errors = stderr.totalBytes === 0 ? '' : `--- stderr ---\n${stderr.head}`;
  const whole = (errors === '' ? stdout.head : endLine(stdout.head)) + errors;
  const shown = headOf(whole, MAX_OUTPUT_BYTES);
  const cut = stdout.truncated || stderr.truncated || shown.length < whole.length;
  const kept = [stdout, stderr].flatMap(({spillPath, spillLoss}) => [spillPath ?? [], spillLoss ?? []].flat());
  const whereabouts = kept.length === 0 ? '' : `; whole output: ${kept.join(', ')}`;
  const note = cut ? `[cut at ${MAX_OUTPUT_BYTES} of ${stdout.totalBytes + stderr.totalBytes} bytes${whereabouts}]\n` : '';
  return `${endLine(shown)}${note}exit code: ${exitText(result)}`;
}
