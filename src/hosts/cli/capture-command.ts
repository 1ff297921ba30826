import {toFettleError} from '../../base/errors.ts';
import {exitCodeOfError} from '../../protocol/exit-code.ts';
import {describeError} from './output/describe-error.ts';
import type {Io} from './io.ts';

/** Runs a command line in this process, with `run`; its output is returned in order, as text without colours. It cannot ask anybody. */
export async function captureCommand(
  {env, cwd, home}: Pick<Io, 'env' | 'cwd' | 'home'>,
  args: readonly string[],
  run: RunCommandLine,
): Promise<{readonly text: string; readonly exitCode: number}> {
  let text = '';
  const add = (piece: string): void => void (text += text.length < MOST_CHARS ? piece : '');
  const io: Io = {
    env,
    cwd,
    home,
    interactive: false,
    readStdin: async () => '',
    piped: () => undefined,
    data: add,
    shown: add,
    note: (line) => add(`${line}\n`),
    progress: add,
    status: () => false,
    paint: (_, words) => words,
  };
  try {
    return {exitCode: await run(args, io), text};
  } catch (thrown) {
    const error = toFettleError(thrown);
    add(`${describeError(error, io.paint)}\n`);
    return {exitCode: exitCodeOfError(error.code), text};
  }
}

/** Runs the command that a command line names, and returns its exit code. Throws FettleError. */
type RunCommandLine = (args: readonly string[], io: Io) => Promise<number>;

const MOST_CHARS = 1_000_000;
