import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {endsInBackground} from '../../../policy/shell/ends-in-background.ts';
import {plainOperation} from '../../operation.ts';
import {commandResult, runShell, type RunShellArgs, type RunShellResult} from './run-shell.ts';

const args = z.object({command: z.string(), timeoutMs: z.number(), headBytes: z.number(), tailBytes: z.number()});

/**
 * Runs a command whose exit code shows whether the work is correct, and waits for its real end (VT Code treated
 * any command that ran for more than a second as passed). In a pipe the first command counts as well: `npm test
 * | tail` must not pass for the `tail`. Throws BAD_ARGS for a line that ends before the processes it has started.
 */
export const runCheck = plainOperation<Omit<RunShellArgs, 'spillAbove'>, RunShellResult>({
  id: 'exec.check',
  permission: 'bash',
  args,
  result: commandResult,
  sideEffect: 'execute',
  isLine: true,
  async subjects({command}, ctx) {
    if (await endsInBackground(command)) throw new FettleError(IN_BACKGROUND);
    return [{kind: 'command', command, cwd: ctx.exec.cwd, workspace: ctx.workspace.root}];
  },
  run: ({command, ...rest}, ctx) => runShell.run({...rest, command: `${PIPES_COUNT}\n${command}`}, ctx),
});

/** A shell without `pipefail` is unaffected. */
const PIPES_COUNT = '(set -o pipefail) 2>/dev/null && set -o pipefail';

const IN_BACKGROUND = {
  code: 'BAD_ARGS',
  message: 'This command leaves its last part running in the background: its exit code says nothing.',
  hint: 'Remove the & at its end.',
} as const;
