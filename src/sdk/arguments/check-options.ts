import {FettleError} from '../../base/errors.ts';
import {checkFlaw} from '../../policy/shell/ineffective-check.ts';

/** Throws USAGE for a check that runs no command: it would pass, and prove nothing. */
export async function assertChecksRun(commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    if ((await checkFlaw(command)) !== 'empty') continue;
    throw new FettleError({
      code: 'USAGE',
      message: `The check ${JSON.stringify(command.slice(0, MAX_SHOWN))} runs no command.`,
      hint: 'Name a command that exits with 0 when the work is right, such as --verify "npm test".',
    });
  }
}

const MAX_SHOWN = 200;
